/**
 * The issues and pull requests of GitHub as actions that are found first. What stands for GitHub is on this machine, unless
 * `GITHUB_API` is `https://api.github.com` and `GITHUB_TOKEN` a token for it.
 */
import { McpApplication } from 'toolwright';
import { createApi } from './api.ts';
import { startUpstream } from './upstream.ts';

const upstream = process.env['GITHUB_API'] ?? (await startUpstream()).url;
const app = await McpApplication.create(await createApi(upstream), {
  name: 'github-issues',
  version: '1.0.0',
  surface: 'progressive',
});
const { url } = await app.listen({ port: Number(process.env['PORT'] ?? 3000) });
console.log(`github-issues serves at ${url}`);
