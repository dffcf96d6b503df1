import { Buffer } from 'node:buffer';
import { appendFile, open, rename, type FileHandle } from 'node:fs/promises';
import { refuseOptions } from '../errors/option-errors.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import { codeOf } from '../shared/error-shape.ts';
import { LineReader } from '../shared/line-reader.ts';
import { trueOrFalse, type OptionRules } from '../shared/option-rules.ts';
import {
  readAuditRecord,
  readCheckpoint,
  type AuditCheckpoint,
  type AuditRecord,
  type AuditStore,
} from './audit-record.ts';

/** Keeps audit records in the memory of the process; for tests. */
export class InMemoryAuditStore implements AuditStore {
  /** The records as JSON. */
  readonly lines: string[] = [];

  /** Stores records. */
  async append(records: readonly AuditRecord[]): Promise<void> {
    this.lines.push(...records.map((record) => canonicalJson(record)));
  }

  /** All records. */
  async *read(): AsyncGenerator<string> {
    yield* this.lines;
  }

  /** The last record. */
  async last(): Promise<string | undefined> {
    return this.lines.at(-1);
  }

  /** Deletes the records of a chain before a number. */
  async prune(chain: string, before: number): Promise<number> {
    const kept = this.lines.filter((line) => !isBefore(line, chain, before));
    const removed = this.lines.length - kept.length;
    this.lines.splice(0, Infinity, ...kept);
    return removed;
  }
}

function isBefore(line: string, chain: string, before: number): boolean {
  const record = readAuditRecord(line);
  return record?.chain === chain && record.seq < before;
}

/** Options of `jsonLinesAuditStore()`. */
export interface JsonLinesAuditOptions {
  /**
   * Whether each append waits until the disk has it, so that a loss of power loses no record. Without it, only the end of
   * the process loses none. Default false.
   */
  readonly fsync?: boolean;
}

const RULES: OptionRules<JsonLinesAuditOptions> = { fsync: trueOrFalse };
/** Only the user of the process may read what was done. */
const PRIVATE = 0o600;
const NEWLINE = 0x0a;
const TAIL = 65_536;

/**
 * Keeps audit records in a file, one JSON text on each line. One process at a time writes to it. A record that was cut
 * off when the process died stays as it is; the next process begins a new line, and a new chain.
 *
 * @throws ToolwrightError TW_AUDIT_OPTION
 * @example
 * const store = jsonLinesAuditStore('/var/lib/tasks/audit.jsonl', { fsync: true });
 * const app = await McpApplication.create(AppModule, { audit: { store } });
 */
export function jsonLinesAuditStore(path: string, options: JsonLinesAuditOptions = {}): AuditStore {
  refuseOptions('TW_AUDIT_OPTION', 'jsonLinesAuditStore()', options, RULES);
  return new JsonLinesAuditStore(path, options.fsync ?? false);
}

class JsonLinesAuditStore implements AuditStore {
  readonly #path: string;
  readonly #syncs: boolean;
  #file: FileHandle | undefined;
  /** The work before: what changes the file waits for it. */
  #turn: Promise<unknown> = Promise.resolve();
  #pruning: Promise<unknown> = Promise.resolve();

  constructor(path: string, syncs: boolean) {
    this.#path = path;
    this.#syncs = syncs;
  }

  append(records: readonly AuditRecord[]): Promise<void> {
    return this.#next(async () => {
      try {
        await this.#write(records.map((record) => `${canonicalJson(record)}\n`).join(''));
      } catch (error) {
        // Half a record may be there: the next append looks how the file ends
        await this.#release();
        throw error;
      }
    });
  }

  read(): AsyncGenerator<string> {
    return this.#lines();
  }

  /** @param until how many bytes there were; undefined for all that there are */
  async *#lines(from = 0, until?: number): AsyncGenerator<string> {
    const file = await openOrMissing(this.#path);
    if (file === undefined) return;
    const reader = new LineReader(Infinity);
    // A pipe has no place to start at
    const range = { ...(from > 0 && { start: from }), ...(until !== undefined && { end: until - 1 }) };
    // It closes the file at its end
    for await (const chunk of file.createReadStream(range)) yield* textsOf(reader.push(chunk as Buffer));
    yield* textsOf(reader.end());
  }

  async last(): Promise<string | undefined> {
    const file = await openOrMissing(this.#path);
    if (file === undefined) return undefined;
    try {
      const { size } = await file.stat();
      for (let length = TAIL; ; length *= 4) {
        const start = Math.max(0, size - length);
        const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
        const lines = buffer.subarray(0, bytesRead).toString().split('\n');
        const found = lines.findLast((line) => readAuditRecord(line) !== undefined);
        if (found !== undefined || start === 0) return found;
      }
    } finally {
      await file.close();
    }
  }

  /** Copies what stays while others append; they wait for the rest alone. */
  prune(chain: string, before: number): Promise<number> {
    const result = this.#pruning.then(async () => {
      const temporary = `${this.#path}.pruning`;
      const target = await open(temporary, 'w', PRIVATE);
      let removed = 0;
      const copy = async (from: number, until?: number): Promise<void> => {
        if (until === 0) return;
        for await (const line of this.#lines(from, until)) {
          if (isBefore(line, chain, before)) removed += 1;
          // The end of what was cut off goes with the records around it
          else if (readAuditRecord(line) !== undefined) await target.write(`${line}\n`);
        }
      };
      try {
        // Nothing is half written then
        const size = await this.#next(() => sizeOf(this.#path));
        await copy(0, size);
        await this.#next(async () => {
          await copy(size);
          await target.sync();
          await this.#release();
          await rename(temporary, this.#path);
        });
      } finally {
        await target.close();
      }
      return removed;
    });
    this.#pruning = result.catch(() => undefined);
    return result;
  }

  close(): Promise<void> {
    return this.#next(() => this.#release());
  }

  async #write(text: string): Promise<void> {
    const file = await this.#open();
    const isNewLine = await endsLine(file);
    const bytes = Buffer.from(isNewLine ? text : `\n${text}`);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten < bytes.length)
      throw new Error(`Only a part of a record could be written to ${this.#path}`);
    if (this.#syncs) await file.datasync();
  }

  /** Opened again where the file was removed or replaced in the meantime. */
  async #open(): Promise<FileHandle> {
    if (this.#file !== undefined && (await this.#file.stat()).nlink === 0) await this.#release();
    return (this.#file ??= await open(this.#path, 'a+', PRIVATE));
  }

  async #release(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

async function endsLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === NEWLINE;
}

async function sizeOf(path: string): Promise<number> {
  const file = await openOrMissing(path);
  if (file === undefined) return 0;
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

async function readLines(file: FileHandle): Promise<readonly string[]> {
  try {
    return (await file.readFile('utf8')).split('\n');
  } finally {
    await file.close();
  }
}

async function openOrMissing(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function* textsOf(lines: ReturnType<LineReader['push']>): Generator<string> {
  for (const line of lines) {
    const text = line === 'too-long' ? '' : Buffer.from(line.bytes).toString();
    if (text !== '') yield text;
  }
}

/**
 * An anchor that appends checkpoints to a file, one JSON text on each line. Let it be on another machine, or on a medium
 * that can only be written once: who can change both files can change the audit.
 *
 * @example
 * const checkpoints = { key: process.env['AUDIT_KEY'] ?? '', anchor: fileAnchor('/mnt/anchor/checkpoints.jsonl') };
 */
export function fileAnchor(path: string): (checkpoint: AuditCheckpoint) => Promise<void> {
  return (checkpoint) => appendFile(path, `${canonicalJson(checkpoint)}\n`, { mode: PRIVATE });
}

/**
 * The checkpoints that `fileAnchor()` has written. A missing file has none.
 * @throws ToolwrightError TW_AUDIT_OPTION for a line that is not a checkpoint
 */
export async function readCheckpoints(path: string): Promise<readonly AuditCheckpoint[]> {
  const file = await openOrMissing(path);
  if (file === undefined) return [];
  const lines = await readLines(file);
  return lines.flatMap((line, index) => {
    if (line === '') return [];
    const checkpoint = readCheckpoint(line);
    if (checkpoint === undefined) throw notCheckpoint(path, index + 1);
    return [checkpoint];
  });
}

function notCheckpoint(path: string, line: number): ToolwrightError {
  return new ToolwrightError('TW_AUDIT_OPTION', {
    where: 'readCheckpoints()',
    what: `cannot read line ${String(line)} of ${path}: it is not a checkpoint.`,
    fix: 'restore the file; where a process died while it wrote the line, remove what is there of it',
  });
}
