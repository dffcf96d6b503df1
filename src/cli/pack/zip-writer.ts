import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';

/** What is known of a file that was written. */
export interface WrittenZip {
  readonly bytes: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

const FILE_HEADER = 0x04_03_4b_50;
const DIRECTORY_HEADER = 0x02_01_4b_50;
const DIRECTORY_END = 0x06_05_4b_50;
/** 2.0: deflated entries. */
const VERSION = 20;
/** The first byte says Unix, whose modes are in the external attributes. */
const MADE_BY = (3 << 8) | VERSION;
const UTF8_NAMES = 0x08_00;
const STORED = 0;
const DEFLATED = 8;
/** 1980-01-01, the first date that there is: the same files give the same bytes. */
const DATE = 0x21;
const MODE = 0o100_644;

/** Writes a file of the form .zip (APPNOTE 6.3.3), without ZIP64: fewer than 65,536 files, and less than 4 GiB. */
export class ZipWriter {
  #file: number | undefined;
  readonly #hash = createHash('sha256');
  readonly #directory: Buffer[] = [];
  #offset = 0;

  /** @throws Error where the file cannot be written */
  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  /** @param name its path, with slashes between folders */
  add(name: string, content: Uint8Array): void {
    const deflated = deflateRawSync(content, { level: 9 });
    const isSmaller = deflated.length < content.length;
    const body = isSmaller ? deflated : content;
    const path = Buffer.from(name);
    const facts = Buffer.alloc(22);
    facts.writeUInt16LE(UTF8_NAMES, 0);
    facts.writeUInt16LE(isSmaller ? DEFLATED : STORED, 2);
    facts.writeUInt16LE(DATE, 6);
    facts.writeUInt32LE(crc32(content), 8);
    facts.writeUInt32LE(body.length, 12);
    facts.writeUInt32LE(content.length, 16);
    facts.writeUInt16LE(path.length, 20);
    this.#directory.push(describeEntry(facts, this.#offset), path);
    this.#write(numbers([FILE_HEADER, 4], [VERSION, 2]), facts, numbers([0, 2]), path, body);
  }

  /** Writes the directory, and closes the file. */
  end(): WrittenZip {
    const directory = Buffer.concat(this.#directory);
    const count = this.#directory.length / 2;
    const [start, size] = [this.#offset, directory.length];
    const end = numbers([DIRECTORY_END, 4], [0, 4], [count, 2], [count, 2], [size, 4], [start, 4], [0, 2]);
    this.#write(directory, end);
    this.close();
    return { bytes: this.#offset, sha256: this.#hash.digest('hex') };
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #write(...parts: readonly Uint8Array[]): void {
    const file = this.#file;
    if (file === undefined) throw new Error('The file is closed');
    for (const part of parts) {
      this.#hash.update(part);
      for (let written = 0; written < part.length;) written += writeSync(file, part, written);
      this.#offset += part.length;
    }
  }
}

/** The part of the directory that is before the name of a file. */
function describeEntry(facts: Buffer, offset: number): Buffer {
  const before = numbers([DIRECTORY_HEADER, 4], [MADE_BY, 2], [VERSION, 2]);
  // No extra field, no comment, the first disk, no internal attributes
  const after = numbers([0, 4], [0, 4], [MODE * 0x1_00_00, 4], [offset, 4]);
  return Buffer.concat([before, facts, after]);
}

/** Numbers one after the other, the least byte first. */
function numbers(...given: readonly (readonly [value: number, bytes: number])[]): Buffer {
  const written = Buffer.alloc(given.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of given) at = written.writeUIntLE(value, at, bytes);
  return written;
}
