import {
  ConversionError,
  type ConversionCode,
  type ConversionDirection,
} from '../errors/conversion-error.ts';

/** One conversion under way: what its errors say about it. */
export class Conversion {
  readonly adapter: string;
  readonly direction: ConversionDirection;

  constructor(adapter: string, direction: ConversionDirection) {
    this.adapter = adapter;
    this.direction = direction;
  }

  /** @param cause the error behind it, or what is wrong as a sentence */
  fail(code: ConversionCode, path: string, cause: unknown): never {
    throw new ConversionError(code, { adapter: this.adapter, direction: this.direction, path, cause });
  }
}
