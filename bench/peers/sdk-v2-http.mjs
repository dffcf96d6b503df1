// Both eras: a server for every request, made by the factory
import { createServer as createHttpServer } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { announce } from './announce.mjs';
import { createServer } from './sdk-v2-server.mjs';

const validateHost = localhostHostValidation();
const validateOrigin = localhostOriginValidation();
const handle = toNodeHandler(createMcpHandler(() => createServer()));

const listening = createHttpServer((request, response) => {
  if (validateHost(request, response) && validateOrigin(request, response)) void handle(request, response);
});
listening.listen(0, '127.0.0.1', () => announce(listening.address().port));
