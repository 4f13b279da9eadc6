/** Environment variables, `process.env` or others. */
export type Environment = Readonly<Record<string, string | undefined>>;
