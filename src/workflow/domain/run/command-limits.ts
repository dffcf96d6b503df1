/** What a run may take up. */
export interface CommandLimits {
  /** Invalid outputs of one step before it takes no more. Default 5. */
  readonly maxAttempts: number;
  /** How long a step waits for a user, in milliseconds. Default 24 hours. */
  readonly confirmationTtl: number;
  /** How long a run lives after its last event, in milliseconds. Default 7 days. */
  readonly runTtl: number;
  /** Of the whole context as JSON, in bytes of UTF-8. Default 262 144. */
  readonly maxContextBytes: number;
  /** Of one output, in bytes of UTF-8. Default 262 144. */
  readonly maxOutputBytes: number;
}
