/** Serves what the conformance suites of MCP call; prints its address. */
import { McpApplication, type SurfaceName } from 'toolwright';
import { ConformanceModule } from './conformance.module.ts';

/** The suites call tools by their flat names, which go on to work on each surface. */
const [, , surface = 'own'] = process.argv;
const app = await McpApplication.create(ConformanceModule, {
  name: 'toolwright-conformance',
  version: '1.0.0',
  expose: 'flat',
  surface: surface as SurfaceName,
});
const { url } = await app.listen(0);
console.log(url);
