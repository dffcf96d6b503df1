/** The largest message that the servers of these tests take, in bytes. */
export const LIMIT = 300_000;
