/** Where this thatch stands; absolute paths of files that exist. */
export type Installation = { readonly root: string; readonly bun: string };

/**
 * What Bun is told ahead of the program. A host starts it in the folder of a project, whose `.env` and `bunfig.toml` are not thatch's: they
 * could point it at another database, and have it run their code first.
 */
export const BUN_FLAGS = ["--no-env-file", "--config=/dev/null"] as const;
