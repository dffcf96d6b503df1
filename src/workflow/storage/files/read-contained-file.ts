import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin } from './is-within.ts';

/** Why a file is not read, apart from errors of the system. */
export type FileFault = 'OUTSIDE' | 'NOT_A_FILE' | 'TOO_LARGE';

export type FileContent =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** `realPath` is where the path leads. */
  | { readonly ok: false; readonly fault: FileFault; readonly realPath: string };

const CHUNK = 65_536;

/**
 * Reads a regular file whose real path is below a root, which has to be a real path itself.
 * Rejects as the system does.
 */
export async function readContainedFile(root: string, path: string, maxBytes: number): Promise<FileContent> {
  const realPath = await realpath(join(root, path));
  const refuse = (fault: FileFault): FileContent => ({ ok: false, fault, realPath });
  if (!isWithin(root, realPath)) return refuse('OUTSIDE');
  // Opening a device can already do something, so it is looked at before.
  if (!(await lstat(realPath)).isFile()) return refuse('NOT_A_FILE');
  // A named pipe put in its place meanwhile would block without O_NONBLOCK. Windows has neither flag.
  const handle = await open(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) return refuse('NOT_A_FILE');
    if (!(await isStillAt(handle, realPath))) return refuse('OUTSIDE');
    const bytes = await readAtMost(handle, maxBytes);
    return bytes === undefined ? refuse('TOO_LARGE') : { ok: true, bytes };
  } finally {
    await handle.close();
  }
}

/** A folder on the way may have been replaced by a link between the look at the path and the opening. */
async function isStillAt(handle: FileHandle, realPath: string): Promise<boolean> {
  const opened = await handle.stat({ bigint: true });
  if ((await realpath(realPath)) !== realPath) return false;
  const there = await lstat(realPath, { bigint: true });
  return there.dev === opened.dev && there.ino === opened.ino;
}

/** Counts what it reads: the size that the system tells may have changed since. */
async function readAtMost(handle: FileHandle, maximum: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK);
    if (bytesRead === 0) return Buffer.concat(parts);
    size += bytesRead;
    if (size > maximum) return undefined;
    parts.push(buffer.subarray(0, bytesRead));
  }
}
