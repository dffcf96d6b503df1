import { McpApplication } from 'toolwright';
import { manyControllers } from './many-controllers.ts';
import { readArguments, sendResult } from './program.ts';

const { controllers } = readArguments<{ readonly controllers: number }>();
const module = manyControllers(controllers, 10);
const start = performance.now();
const before = process.cpuUsage();
const app = await McpApplication.create(module, { name: 'large', version: '1.0.0' });
const elapsed = performance.now() - start;
const { user, system } = process.cpuUsage(before);
if (app.definitions.length !== controllers) throw new Error('It made other tools');
sendResult({ elapsed, processor: (user + system) / 1000 });
