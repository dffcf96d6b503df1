import type { ProblemList } from '../errors/problem-list.ts';
import type { ScannedCallable } from '../scanner/members/scanned-callable.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import type { ApplicationSettings } from './application-settings.ts';

/** Reports requirements that nobody could meet, and lists that differ from caller to caller and are kept for all. */
export function checkRequirementsOf(
  { tools, prompts, resources }: ScannedApplication,
  { auth, cache }: ApplicationSettings,
  problems: ProblemList,
): void {
  const callables: readonly ScannedCallable[] = [
    ...tools.flatMap(({ actions }) => actions),
    ...prompts,
    ...resources,
  ];
  const isOpenByDefault = auth === undefined || auth === false || auth.default === 'public';
  const requiring = callables.filter(({ requirements }) => !(requirements?.isPublic ?? isOpenByDefault));
  const [first, ...others] = requiring;
  if (first === undefined) return;
  if (auth === undefined) reportUnknownCallers(first, others.length, problems);
  if (cache?.scope === 'public') {
    problems.add('TW_APPLICATION_OPTION', {
      where: 'McpApplication.create(), option cache.scope',
      what: 'is "public", but what is listed depends on the caller.',
      why: `${first.where} requires something of its callers, and a shared cache would give its list to others.`,
      fix: "cache: { scope: 'private' }",
    });
  }
  for (const resource of resources) {
    if (resource.cache?.scope === 'public' && requiring.includes(resource)) reportCached(resource, problems);
  }
}

function reportUnknownCallers({ where }: ScannedCallable, others: number, problems: ProblemList): void {
  const further = others === 0 ? '' : `, as ${String(others)} more ${others === 1 ? 'does' : 'do'}`;
  problems.at(where).add('TW_SCAN_AUTH_MISSING', {
    what: `requires something of its callers${further}, but the application has no option \`auth\`.`,
    why: 'it would not know who calls, so that nobody could use it.',
    fix: "McpApplication.create(…, { auth: { resource: 'https://…', verify: jwt({ issuer: 'https://…' }) } }), or auth: false where `authenticate`, an attached server or `app.call` says who calls",
  });
}

function reportCached({ where }: ScannedCallable, problems: ProblemList): void {
  problems.at(where).add('TW_SCAN_REQUIREMENT_CONFLICT', {
    what: 'requires something of its callers, and may be cached for everybody.',
    why: 'a shared cache would give it to callers that may not read it.',
    fix: "@Resource('…', { cache: { scope: 'private' } })",
  });
}
