/**
 * Runs decorated TypeScript in Node, without a tsconfig.json and without a build:
 *
 *     node --import toolwright/register server.ts
 */
// Files that are imported before `toolwright` may have decorators that need it
import 'reflect-metadata';
import { registerHooks } from './register-hooks.ts';

await registerHooks();
