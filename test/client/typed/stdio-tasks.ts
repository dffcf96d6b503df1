import { createTasksApp } from './tasks-app.ts';

const app = await createTasksApp();
await app.stdio();
