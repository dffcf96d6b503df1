/** Lowest first, folders and files alike: an entry imports only from entries before it. */
const order = [
  'shared',
  'errors',
  'audit',
  'schema',
  'version',
  'profiles',
  'model',
  'call',
  'metadata',
  'decorators',
  'converters',
  'dto',
  'scanner',
  'container',
  'formats',
  'kernel/call',
  'compile',
  'runtime',
  'features',
  'app',
  'registry',
  'builder',
  'engine',
  'attach',
  'transports',
  'application',
  'client',
  'index',
  'apps',
  'skills',
  'tokens',
  'evals',
  'operations',
  'nest',
  'openapi',
  'proxy',
  'auth',
  'sign-in',
  'backplane',
  'telemetry',
  'workflow',
  'testing',
  'stdio-guard',
  'explorer',
  'loader',
  'cli',
];

/** The folders of src/features/, in the order of app/features.ts. */
const features = [
  'tasks',
  'idempotency',
  'consent',
  'primitive-tools',
  'client-results',
  'budgets',
  'limits',
  'time-limit',
  'state',
  'views',
  'skills',
  'proxy',
  'sign-in',
  'server-card',
  'audit',
  'telemetry',
];

const layer = (...names) => `^src/(${names.join('|')})(/|\\.ts$)`;

const upward = order.slice(0, -1).map((name, position) => ({
  name: `${name}-looks-up`,
  severity: 'error',
  // A public entry may hand out what stands above its own layer
  from: { path: layer(name), pathNot: '^src/model/index\\.ts$' },
  to: { path: layer(...order.slice(position + 1)) },
}));

const door = (name, packages, openTo) => ({
  name: `door-${name}`,
  severity: 'error',
  comment: `Only ${openTo} may import ${packages}.`,
  from: { path: '^src/', pathNot: openTo },
  // The bare specifier, too: that is what remains of a package that could not be resolved.
  to: { path: `(^|node_modules/)(${packages})(/|$)` },
});

const nowhere = (name, packages) => ({
  name: `door-${name}`,
  severity: 'error',
  comment: `Nothing may import ${packages}.`,
  from: { path: '^src/' },
  to: { path: `(^|node_modules/)(${packages})(/|$)` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'unknown-layer',
      severity: 'error',
      comment: 'A new entry of src/ needs its place in the order above.',
      from: { path: '^src/', pathNot: layer(...order) },
      to: {},
    },
    door('mcp-sdk', '@modelcontextprotocol/sdk', '^src/testing/'),
    // Who attaches to a server of it brings it along, and it is known by its shape.
    nowhere('mcp-server', '@modelcontextprotocol/(?!sdk(/|$))[^/]+'),
    door('jose', 'jose', '^src/auth/'),
    door('oidc-provider', 'oidc-provider|openid-client', '^src/sign-in/'),
    door('opentelemetry', '@opentelemetry/[^/]+', '^src/telemetry/'),
    door('oxc', 'oxc-transform', '^src/loader/'),
    door('commander', 'commander', '^src/cli/'),
    door('prompts', '@clack/prompts', '^src/cli/'),
    door('colours', 'picocolors', '^src/cli/'),
    door('page', 'preact|@preact/[^/]+|@dagrejs/[^/]+|@codemirror/[^/]+|@lezer/[^/]+', '^src/explorer/page/'),
    door('tokenizer', 'gpt-tokenizer', '^src/tokens/'),
    door('tsyringe', 'tsyringe', '^src/(container/|application/application-options\\.ts$)'),
    door(
      'class-validator',
      'class-validator|class-transformer',
      '^src/(metadata/(records|copied-properties)\\.ts$|dto/|workflow/module/)',
    ),
    door('ajv', 'ajv|ajv-formats', '^src/(compile/contracts|schema)/'),
    door('re2js', 're2js', '^src/schema/patterns/'),
    door('libsql', '@libsql/client', '^src/(workflow/run-stores/sqlite/|runtime/store/sqlite-)'),
    door('pg', 'pg', '^src/(workflow/run-stores/postgres/|backplane/bullmq/|cli/commands/migrate\\.ts$)'),
    // The client is the user's, and known by its shape.
    // An application of it is known by its shape: it may have another copy than one that would be found from here.
    nowhere('nest', '@nestjs/[^/]+'),
    door('yaml', 'yaml', '^src/shared/yaml\\.ts$'),
    door('openapi', '@scalar/openapi-upgrader', '^src/openapi/'),
    nowhere('redis', '@redis/[^/]+|redis|ioredis'),
    door('bullmq', 'bullmq', '^src/backplane/bullmq/'),
    door('providers', 'openai|@anthropic-ai/sdk|@google/genai', '^src/evals/live-model\\.ts$'),
    door('semver', 'semver', '^src/version/'),
    door('toon', '@toon-format/toon', '^src/shared/toon\\.ts$'),
    door('levenshtein', 'fastest-levenshtein', '^src/shared/did-you-mean\\.ts$'),
    door(
      'reflect-metadata',
      'reflect-metadata',
      '^src/(metadata/|index\\.ts$|loader/register\\.ts$|(workflow|testing)/index\\.ts$)',
    ),
    {
      name: 'kernel-knows-no-feature',
      severity: 'error',
      comment: 'A feature adds itself to the kernel: by its manifest, and by merged fields.',
      from: { path: '^src/(kernel|shared|call|metadata|scanner|container|compile|runtime)/' },
      to: { path: '^src/(features|transports|app|registry|application)/' },
    },
    ...features.map((name, position) => ({
      name: `feature-${name}-knows-earlier-ones`,
      severity: 'error',
      comment: 'A feature imports the index.ts of features that stand before it in app/features.ts.',
      from: { path: `^src/features/${name}/` },
      to: {
        path: '^src/features/[^/]+/',
        pathNot: `^src/features/(${name}/|(${['-', ...features.slice(0, position)].join('|')})/index\\.ts$)`,
      },
    })),
    {
      name: 'unknown-feature',
      severity: 'error',
      comment: 'A new folder of src/features/ needs its place in the list above, as in app/features.ts.',
      from: { path: '^src/features/[^/]+/', pathNot: `^src/features/(${features.join('|')})/` },
      to: {},
    },
    {
      name: 'features-come-by-the-list',
      severity: 'error',
      comment:
        'Who needs a feature asks all of them. Public names and types of options are written out. The entries of sign-in, views, skills and proxy share a contract with their features.',
      from: { path: '^src/', pathNot: '^src/(features/|app/|index\\.ts$)' },
      to: {
        path: '^src/features/[^/]+/',
        pathNot:
          '^src/features/(sign-in/(options|step)|views/view-options|skills/skill-folder|proxy/proxy-definition)\\.ts$',
      },
    },
    {
      name: 'contract-of-sign-in',
      severity: 'error',
      comment: 'Only the two sides of the contract know it, and who writes options and public names out.',
      from: { path: '^src/', pathNot: '^src/(features/sign-in/|sign-in/|app/|index\\.ts$)' },
      to: { path: '^src/features/sign-in/(options|step)\\.ts$' },
    },
    {
      name: 'contract-of-views',
      severity: 'error',
      comment: 'Only the decorator and the feature know it.',
      from: { path: '^src/', pathNot: '^src/(features/views/|apps/)' },
      to: { path: '^src/features/views/view-options\\.ts$' },
    },
    {
      name: 'decorators-are-for-users',
      severity: 'error',
      comment: 'Stages read records, never decorators.',
      from: { path: '^src/', pathNot: '^src/(decorators/|index\\.ts$)' },
      to: { path: '^src/decorators/' },
    },
    {
      name: 'attach-has-no-engine',
      severity: 'error',
      comment: 'The SDK of the server that is attached to speaks the protocol.',
      from: { path: '^src/attach/' },
      to: { path: '^src/engine/' },
    },
    {
      name: 'formats-stands-alone',
      severity: 'error',
      comment: 'Adapters of tool formats are of use without the rest.',
      from: { path: '^src/formats/' },
      to: { path: '^src/', pathNot: '^src/(formats|shared|errors|schema|model|converters)/' },
    },
    {
      name: 'audit-stands-alone',
      severity: 'error',
      comment: 'Who verifies an audit loads no server.',
      from: { path: '^src/audit/' },
      to: { path: '^src/', pathNot: '^src/(audit|shared|errors)/' },
    },
    {
      name: 'version-stands-alone',
      severity: 'error',
      from: { path: '^src/version/' },
      to: { path: '^src/', pathNot: '^src/(version|shared|errors)/' },
    },
    {
      name: 'public-surface-only',
      severity: 'error',
      comment:
        'What auth, backplane, telemetry, workflow and testing need, users need as well: export it from src/index.ts. The lowest folders are for all, and a fake context has the members of real ones.',
      from: { path: '^src/(auth|backplane|telemetry|workflow|testing)/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/($1/|(shared|errors|schema)/|app/context-members\\.ts$|index\\.ts$|(audit|formats|version|tokens)/index\\.ts$)',
      },
    },
    {
      name: 'tools-use-public-entries',
      severity: 'error',
      comment: 'The command line and the loader stand on the public surface, as users do.',
      from: { path: '^src/(loader|cli)/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/($1/|(shared|errors|schema|client|profiles)/|index\\.ts$|(audit|evals|formats|version|model|testing|loader|tokens|nest|openapi|backplane/postgres)/index\\.ts$|explorer/contract\\.ts$)',
      },
    },
    {
      name: 'evals-use-the-bridge',
      severity: 'error',
      comment: 'Evals stand on the public surface, and write results for models as exports do.',
      from: { path: '^src/evals/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/((evals|shared|errors|schema)/|index\\.ts$|(formats|tokens)/index\\.ts$|application/bridge/(call-forms|model-call)\\.ts$)',
      },
    },
    {
      name: 'explorer-knows-its-port',
      severity: 'error',
      comment:
        'The explorer stands on the public surface, and on the ports of applications and of workflows to it.',
      from: { path: '^src/explorer/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(explorer|shared|errors|schema|client|application/explorer)/|^src/(index\\.ts$|(formats|tokens|model)/index\\.ts$|workflow/application/explored-workflows\\.ts$)',
      },
    },
    {
      name: 'workflow-domain-is-pure',
      severity: 'error',
      comment:
        'Rules of workflows and runs: no input or output, no clock, no framework beyond its public surface.',
      from: { path: '^src/workflow/domain/' },
      to: { path: '^src/workflow/', pathNot: '^src/workflow/domain/' },
    },
    {
      name: 'workflow-application-knows-ports-only',
      severity: 'error',
      from: { path: '^src/workflow/application/' },
      to: { path: '^src/workflow/', pathNot: '^src/workflow/(domain|application)/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['(^|/)index\\.ts$', '\\.d\\.ts$', '^src/loader/decorator-helpers\\.ts$'],
      },
      to: {},
    },
    { name: 'not-resolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      comment: 'What src/ imports has to be installed with the package, or to be bundled with it.',
      from: { path: '^src/' },
      to: {
        pathNot:
          'node_modules/(gpt-tokenizer|preact|@preact|@dagrejs|@codemirror|@lezer|@clack|fastest-levenshtein|lru-cache|semver|yaml|@scalar)/',
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm-peer'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
};
