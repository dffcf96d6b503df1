import { lastingPort } from '../lasting-port.ts';
import { startProgram, type Started } from './start-program.ts';

/** A private server that keeps nothing on the disk. */
export async function startRedis(
  file: string,
  directory: string,
  settings: readonly string[] = [],
  port?: number,
): Promise<Started> {
  port ??= await lastingPort();
  const always = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const args = [...always, ...settings];
  const ready = 'Ready to accept connections';
  return startProgram(`redis://127.0.0.1:${port}`, {
    file,
    args,
    user: {},
    directory,
    ready,
    end: 'SIGTERM',
  });
}
