/** Serves what the conformance suites of MCP call; prints its address. */
import { McpApplication } from 'toolwright';
import { ConformanceModule } from './conformance.module.ts';

const app = await McpApplication.create(ConformanceModule, {
  name: 'toolwright-conformance',
  version: '1.0.0',
  expose: 'flat',
});
const { url } = await app.listen(0);
console.log(url);
