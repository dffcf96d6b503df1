/**
 * Runs decorated TypeScript in Node, without a tsconfig.json and without a build:
 *
 *     node --import toolwright/register server.ts
 */
import { registerHooks } from './register-hooks.ts';

await registerHooks();
