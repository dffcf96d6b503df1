/** Why a regular expression cannot be used; whoever knows where it stands makes an InvalidCriteriaError of it. */
export class UnsupportedPatternError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'UnsupportedPatternError';
  }
}
