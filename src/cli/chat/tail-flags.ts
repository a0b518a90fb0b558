/** What a person may ask of `tail`. */
export interface TailFlags {
  /** Messages to begin with; Infinity for all. */
  readonly lines: number;
  readonly follow: boolean;
  readonly grep?: readonly string[];
  readonly with?: readonly string[];
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly since?: string;
  readonly until?: string;
}
