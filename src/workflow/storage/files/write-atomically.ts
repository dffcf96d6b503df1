import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../storage-failure.ts';

/**
 * Writes a file such that readers, and a crash, find the old content or the new one, never a part.
 * Rejects as the system does.
 * @param mode the permissions of the file; those of any new file unless given
 */
export async function writeAtomically(path: string, text: string, mode?: number): Promise<void> {
  const folder = dirname(path);
  // In the same folder, as a rename cannot leave the file system; without .json, so that it is never listed.
  const temporary = join(folder, `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      // Whatever the mask of the process took away
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Makes the rename itself survive a power cut, where the system can do that to a folder. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(systemCode(error))) throw error;
  }
}
