import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

const { env } = process;

export const settings = {
  port: Number(env['PORT'] ?? 3000),
  /** Where the tickets are kept, and which calls have run. Several desks may share it. */
  folder: resolve(env['SUPPORT_DESK_FOLDER'] ?? 'support-desk-data'),
  /** Where people sign in. Default: at a provider that is started beside the desk. */
  issuer: env['SUPPORT_DESK_ISSUER'],
  /** The URL that clients call. Default: the one that the desk listens at. */
  resource: env['SUPPORT_DESK_URL'],
  /** Desks that share calls share secrets: `openssl rand -base64 32`. */
  secrets: env['SUPPORT_DESK_SECRETS']?.split(','),
  /** The Redis that several desks and workers share. Default: one desk that shares nothing, and works alone. */
  redis: env['SUPPORT_DESK_REDIS'],
};

mkdirSync(settings.folder, { recursive: true });
