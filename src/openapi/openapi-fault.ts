/** Why a part of a document cannot be used, and where it is. It costs the operations that need the part. */
export class OpenApiFault extends Error {
  /** A JSON Pointer into the document. */
  readonly pointer: string;
  readonly code: 'TW_OPENAPI_REFERENCE' | 'TW_OPENAPI_OPERATION';

  constructor(code: OpenApiFault['code'], pointer: string, message: string) {
    super(message);
    this.name = 'OpenApiFault';
    this.code = code;
    this.pointer = pointer;
  }
}
