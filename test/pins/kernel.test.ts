import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import ts from 'typescript';
import { FEATURES } from '../../src/app/features.ts';
import { Call } from '../../src/kernel/call/call.ts';
import type { OptionGroups } from '../../src/runtime/runtime-facet.ts';
import { STAGES } from '../../src/runtime/stages.ts';
import { callOf } from '../support/call-of.ts';
import { ROOT } from './docs/example.ts';

/** What the compiler says of the kernel alone, and of more files in the room of the call. */
function problemsOf(texts: Readonly<Record<string, string>>): readonly string[] {
  const path = `${ROOT}src/kernel/tsconfig.json`;
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as { config: unknown };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  const added = new Map(
    Object.entries(texts).map(([name, text]) => [`${ROOT}src/kernel/call/${name}`, text]),
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => added.has(file) || fileExists(file);
  host.getSourceFile = (file, ...others) => {
    const text = added.get(file);
    return text === undefined ? getSourceFile(file, ...others) : ts.createSourceFile(file, text, others[0]);
  };
  const program = ts.createProgram([...fileNames, ...added.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ code, file, messageText }) =>
        `${basename(file?.fileName ?? '')} TS${String(code)} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

test('the kernel is sound without a feature, and cannot read the field of one', () => {
  const call = "import type { Call } from './call.ts';\n";
  const problems = problemsOf({
    'sound.ts': `${call}export type Target = Call['target'];\n`,
    'feature.ts': `${call}export const read = (call: Call): unknown => call.audited;\n`,
  });
  expect(problems).toEqual(["feature.ts TS2339 Property 'audited' does not exist on type 'Call'."]);
});

/** Files of `src` outside of a feature's folder that have one of its exported names. They may only become fewer. */
const KNOWN_OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  tasks: ['src/app/features.ts'],
  idempotency: [
    'src/app/features.ts',
    'src/app/tool-action.ts',
    'src/call/tool-context.ts',
    'src/cli/client-rules/check-for.ts',
    'src/compile/tools/compiled-tool.ts',
    'src/features/audit/audit-stages.ts',
    'src/features/budgets/fitting.ts',
    'src/features/telemetry/observe.ts',
    'src/index.ts',
    'src/openapi/write-classes.ts',
    'src/operations/operation-controllers.ts',
    'src/scanner/members/check-members.ts',
    'src/workflow/module/run-controllers.ts',
  ],
  // Docstrings and the checks of marks name its decorator
  consent: [
    'src/app/consent-pages.ts',
    'src/app/features.ts',
    'src/app/tool-action.ts',
    'src/application.ts',
    'src/application/application-options.ts',
    'src/audit/audit-record.ts',
    'src/cli/client-rules/hint-rules.ts',
    'src/compile/tools/compiled-tool.ts',
    'src/decorators/requirements.ts',
    'src/features/audit/audit-stages.ts',
    'src/features/telemetry/observe.ts',
    'src/index.ts',
    'src/openapi/write-classes.ts',
    'src/operations/operation-controllers.ts',
    'src/operations/settings.ts',
    'src/runtime/local-calls.ts',
    'src/scanner/actions/read-actions.ts',
    'src/scanner/members/check-members.ts',
    'src/workflow/module/run-controllers.ts',
  ],
  'client-results': [
    'src/app/features.ts',
    'src/features/budgets/feature.ts',
    'src/features/budgets/fit-outcome.ts',
  ],
  'primitive-tools': ['src/app/features.ts', 'src/features/budgets/feature.ts'],
  // Rules for clients look at what an action says of its results
  budgets: [
    'src/app/features.ts',
    'src/app/limit-options.ts',
    'src/cli/client-rules/read-server.ts',
    'src/cli/client-rules/result-rules.ts',
    'src/index.ts',
  ],
  state: ['src/app/features.ts', 'src/call/tool-context.ts', 'src/index.ts'],
  audit: ['src/app/features.ts'],
  // What toolwright/skills reads from a folder
  skills: [
    'src/app/features.ts',
    'src/skills/frontmatter.ts',
    'src/skills/read-skill-folder.ts',
    'src/skills/skills-module.ts',
  ],
  // What toolwright/proxy opens
  proxy: ['src/app/features.ts', 'src/proxy/proxied-server.ts', 'src/proxy/proxy-module.ts'],
  // What toolwright/sign-in shares with it; names of public types
  'sign-in': [
    'src/app/auth-options.ts',
    'src/app/features.ts',
    'src/app/sign-ins.ts',
    'src/application.ts',
    'src/application/advice.ts',
    'src/cli/doctor/auth/registration.ts',
    'src/decorators/members.ts',
    'src/features/audit/audit-log.ts',
    'src/index.ts',
    'src/profiles/facts.ts',
    'src/sign-in/assertions.ts',
    'src/sign-in/authorization-server.ts',
    'src/sign-in/consent-page.ts',
    'src/sign-in/grant-types.ts',
    'src/sign-in/grants.ts',
    'src/sign-in/index.ts',
    'src/sign-in/open-sign-in.ts',
    'src/sign-in/person.ts',
    'src/sign-in/presets.ts',
    'src/sign-in/provider-configuration.ts',
    'src/sign-in/provider-definition.ts',
    'src/sign-in/sign-in-door.ts',
    'src/sign-in/sign-in-flow.ts',
    'src/sign-in/sign-in-limits.ts',
  ],
  // Names of public types
  'server-card': ['src/app/features.ts', 'src/application/application-options.ts', 'src/index.ts'],
  telemetry: ['src/app/features.ts'],
  views: ['src/app/features.ts', 'src/apps/index.ts', 'src/apps/view.ts'],
  // Docstrings name its decorator
  'time-limit': [
    'src/app/features.ts',
    'src/app/limit-options.ts',
    'src/app/tool-action.ts',
    'src/builder/tool-group-builder.ts',
    'src/index.ts',
    'src/openapi/write-classes.ts',
    'src/operations/operation-controllers.ts',
  ],
  // Advice and docstrings name its decorators
  limits: [
    'src/app/features.ts',
    'src/app/limit-options.ts',
    'src/app/tool-action.ts',
    'src/application/advice.ts',
    'src/builder/tool-group-builder.ts',
    'src/index.ts',
  ],
};

/** What is below the features, or beside them. */
const KERNEL =
  /^src\/(shared|errors|schema|version|model|call|metadata|decorators|converters|dto|scanner|container|kernel|compile|runtime|engine|transports)\//;

/** The word of a feature in any spelling, in code and in comments. `state` and `limits` are words for much else. */
const WORDS: Readonly<Record<string, RegExp>> = {
  idempotency: /idempoten/i,
  consent: /consent/i,
  'client-results': /client-?results|ResultFit/i,
  'primitive-tools': /primitive-?tools|asTools/i,
  budgets: /budget/i,
  limits: /rate-?limit|quota|ConcurrencyLimit/i,
  'time-limit': /time-?limit(?!e)|@Timeout/i,
  state: /caller-?states?\b|state-?key/i,
  'sign-in': /(?<!as|de)sign(?:ed|s|ing)?[-_ ]?in(?![gh])/i,
  audit: /audit/i,
  skills: /skill/i,
  'server-card': /server-?card/i,
  // The word alone stands for objects of JavaScript, and for servers in front of this one
  proxy: /proxied|ProxyModule|toolwright\/proxy/i,
  telemetry: /telemetry/i,
  // A tool view is what a caller sees of the tools
  views: /mcp-app|@View\b|view-?pages/i,
  // What a task is, its port and its stores are part of the kernel; what runs tasks is the feature
  tasks:
    /(?:running|worked)-task|task-?(?:worker|methods|seal|repository)|call-as-task|waitForTask|TaskRunner/,
};

/** Files of the kernel that have the word of a feature, without `src/`. They may only become fewer. */
const WORD_IN_KERNEL: Readonly<Record<string, string>> = {
  idempotency: `
    call/call-context.ts
    call/log-events.ts
    call/request-context.ts
    call/tool-context.ts
    compile/application-model.ts
    compile/surfaces/risk-layout.ts
    compile/tools/compile-tool-set.ts
    compile/tools/compiled-tool.ts
    compile/tools/list-tools.ts
    compile/tools/prepare-tool.ts
    compile/tools/prepared-tool.ts
    converters/wire.ts
    errors/catalogue.ts
    kernel/call/attempt.ts
    kernel/call/call.ts
    kernel/call/stage.ts
    metadata/option-rules.ts
    metadata/options.ts
    metadata/records.ts
    model/values.ts
    runtime/tools/tools.ts
    scanner/actions/scan-tools.ts
    scanner/members/check-members.ts
  `,
  consent: `
    call/log-events.ts
    call/request-context.ts
    call/tool-context.ts
    compile/stages/bound-arguments.ts
    engine/observed-answer.ts
    errors/catalogue.ts
    kernel/call/call.ts
    kernel/call/service-request.ts
    kernel/call/telemetry.ts
    runtime/local-calls.ts
    runtime/replay/answer-once.ts
    runtime/tasks/task-record.ts
  `,
  budgets: `
    call/bounded-issues.ts
    call/issue.ts
    call/result-helpers.ts
    compile/contracts/json-schema-issues.ts
    compile/stages/attempt.ts
    decorators/members.ts
    errors/catalogue.ts
    kernel/call/outcome.ts
    runtime/failures/failure-facts.ts
    runtime/failures/protocol-failures.ts
    schema/patterns/linear-pattern.ts
    schema/validator/ajv.ts
    schema/validator/author-schema.ts
    schema/validator/dialects.ts
    schema/validator/foreign-schema.ts
    schema/validator/steps.ts
  `,
  limits: `
    errors/catalogue.ts
    metadata/rate-options.ts
    runtime/auth/challenge.ts
    runtime/store/limit-store.ts
    transports/http/guards/limit-requests.ts
  `,
  state: `
    call/tool-context.ts
  `,
  'sign-in': `
    call/log-events.ts
    call/requirements.ts
    call/tool-context.ts
    call/upstream.ts
    decorators/members.ts
    decorators/requirements.ts
    errors/catalogue.ts
    kernel/call/outcome.ts
    kernel/call/telemetry.ts
    metadata/token-verifier.ts
    runtime/auth/resource-server.ts
    runtime/requirements/authorize.ts
    runtime/requirements/caller.ts
    runtime/requirements/verdicts.ts
    scanner/requirements/scanned-requirements.ts
    transports/http/guards/authenticate-request.ts
    transports/http/operations-port.ts
    transports/http/serve-http.ts
  `,
  skills: `
    errors/catalogue.ts
  `,
  audit: `
    call/log-events.ts
    errors/catalogue.ts
    kernel/call/stage.ts
    kernel/call/telemetry.ts
    runtime/routes/route.ts
    runtime/stages.ts
  `,
  telemetry: `
    engine/observed-answer.ts
    engine/revisions/2025/session.ts
    kernel/call/call.ts
    kernel/call/telemetry.ts
    runtime/auth/local-caller.ts
    runtime/logging/call-secrets.ts
    runtime/logging/log-records.ts
    runtime/requirements/authorization.ts
    runtime/routes/route.ts
    runtime/runtime-facet.ts
    runtime/service.ts
    runtime/tools/tools.ts
    transports/http/http-answer.ts
    transports/http/sessions/session-store.ts
  `,
};

describe('the word of a feature', () => {
  const kernel = [...filesOf('src', '.ts')].filter(([path]) => KERNEL.test(path));

  test('is known of each', () => {
    expect(Object.keys(WORDS).sort()).toEqual(FEATURES.map(({ name }) => name).sort());
  });

  test.each(Object.entries(WORDS))('%s is in few files of the kernel', (feature, word) => {
    const found = kernel.filter(([, text]) => word.test(text)).map(([path]) => path.replace('src/', ''));
    expect(found.sort()).toEqual((WORD_IN_KERNEL[feature] ?? '').split(/\s+/).filter(Boolean));
  });
});

describe('a feature', () => {
  const sources = filesOf('src', '.ts');
  const folders = readdirSync(`${ROOT}src/features`, { withFileTypes: true });
  const features = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);

  test('is in the list', () => {
    expect(features.sort()).toEqual(FEATURES.map(({ name }) => name).sort());
    expect(features).toEqual(Object.keys(KNOWN_OUTSIDE).sort());
  });

  test.each(features)('%s is known in few places outside of its folder', (feature) => {
    const folder = `src/features/${feature}/`;
    const own = [...sources].filter(([path]) => path.startsWith(folder));
    const names = own.flatMap(([, text]) =>
      [...text.matchAll(/^export (?:async )?(?:class|const|function|interface|type) (\w+)/gm)].map(
        ([, name]) => name,
      ),
    );
    const known = new RegExp(`(?<!NodeJS\\.)\\b(?:${names.join('|')})\\b|features/${feature}/`);
    const outside = [...sources].filter(([path, text]) => !path.startsWith(folder) && known.test(text));
    expect(outside.map(([path]) => path).sort()).toEqual(KNOWN_OUTSIDE[feature]);
  });

  test('leaves no module that users cannot resolve in the types of the package', () => {
    const declarations = filesOf('dist', '.d.ts');
    expect(declarations.size).toBeGreaterThan(0);
    const merging = [...declarations].filter(([, text]) => text.includes('declare module'));
    expect(merging.map(([path]) => path)).toEqual([]);
  });
});

describe('the places of stages', () => {
  const places = Object.entries(STAGES).flatMap(([ring, stages]) =>
    Object.keys(stages as object).map((place) => `${ring} ${place}`),
  );
  /** Options that ask for every stage there is. */
  const everything = { audit: {}, accessLog: true } as OptionGroups;

  test('are filled once each, by the kernel or by one feature', () => {
    const ofKernel = Object.entries(STAGES).flatMap(([ring, stages]) =>
      Object.entries(stages as object).flatMap(([place, stage]) =>
        stage === undefined ? [] : [`${ring} ${place}`],
      ),
    );
    const ofFeatures = FEATURES.flatMap((feature) => [
      ...(feature.stages ?? []),
      ...(feature.stagesFor?.(everything) ?? []),
    ]).map(({ ring, place }) => `${ring} ${place}`);
    // Only where a class of the application logs, see `withCallLog`
    expect([...ofKernel, ...ofFeatures, 'request log'].sort()).toEqual([...places].sort());
  });

  test('stand on the page in the order in which a call enters them', () => {
    const [, rings = ''] =
      /## The stages of a call\n.*?```text\n(.*?)```/s.exec(
        readFileSync(`${ROOT}docs/architecture.md`, 'utf8'),
      ) ?? [];
    const ring = /^(request|conversation|attempt) /;
    let current = '';
    const shown = rings.split('\n').flatMap((line) => {
      current = ring.exec(line)?.[1] ?? current;
      const [stages = ''] = line.replace(ring, '').trim().split(/ {3,}/);
      return [...stages.matchAll(/\w+/g)].map(([place]) => `${current} ${place}`);
    });
    expect(shown.slice(0, -2)).toEqual(places);
    expect(shown.slice(-2)).toEqual(['attempt middleware', 'attempt handler']);
  });
});

test('another run of a handler has what each feature keeps of its call', () => {
  const members = [...filesOf('src', 'call-fields.ts')].flatMap(([, text]) => {
    const [, body = ''] = /^ {2}interface Call \{\n(.*?)^ {2}\}/ms.exec(text) ?? [];
    return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, name = '']) => name);
  });
  expect(members).toContain('audited');
  const kept = Object.fromEntries(members.map((name) => [name, { of: name }]));
  const again = Object.assign(callOf(), kept).again({ journal: [], open: [] });
  expect(again).toBeInstanceOf(Call);
  expect(again).toMatchObject(kept);
});

/** The texts of files by their paths. */
function filesOf(folder: string, ending: string): ReadonlyMap<string, string> {
  const names = readdirSync(`${ROOT}${folder}`, { recursive: true }).map(String);
  const paths = names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`);
  return new Map(paths.map((path) => [path, readFileSync(`${ROOT}${path}`, 'utf8')]));
}
