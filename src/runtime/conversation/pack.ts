import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** What is smaller gains nothing. */
const WORTH_COMPRESSING = 2048;
/** Compressed content is filled up to a multiple: its length tells how much of it a client had sent itself. */
const BLOCK = 256;
const [PLAIN, DEFLATED] = [0, 1];

/** JSON as bytes, compressed if it is large. */
export function pack(value: unknown): Uint8Array {
  const content = Buffer.from(JSON.stringify(value));
  if (content.length < WORTH_COMPRESSING) return Buffer.concat([Buffer.of(PLAIN), content]);
  const deflated = deflateRawSync(content);
  const filling = Buffer.alloc(BLOCK - ((deflated.length + 1) % BLOCK));
  return Buffer.concat([Buffer.of(DEFLATED), deflated, filling]);
}

/** The value that {@link pack} was given. */
export function unpack(bytes: Uint8Array): unknown {
  const content = bytes.subarray(1);
  // Inflating ends with the stream, whatever it was filled up with.
  return JSON.parse((bytes[0] === DEFLATED ? inflateRawSync(content) : Buffer.from(content)).toString());
}
