/** The second schema: what one sweep leaves for the next. */
export const SCHEMA_2: readonly string[] = [
  // One row at most: when the last sweep was.
  `CREATE TABLE chat_sweeps (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
  ) STRICT`,
];
