#!/usr/bin/env node
// First, so that nothing else writes to stdout, which is the protocol's
import 'toolwright/stdio-guard';
import createApplication from './server.ts';

const app = await createApplication();
await app.stdio();
