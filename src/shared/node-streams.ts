/** A readable stream of Node by its shape: types that name `node:stream` would ask every user for `@types/node`. */
export interface InputStream {
  readonly readable: boolean;
  pause(): unknown;
  resume(): unknown;
}

/** A writable stream of Node by its shape, as {@link InputStream}. */
export interface OutputStream {
  readonly writable: boolean;
  write(text: string): boolean;
  end(): unknown;
}
