import { describe, expect, test } from '@jest/globals';
import { NODE_VERSIONS } from '../../runtimes/versions.ts';
import { readText } from '../docs/example.ts';
import { execForm, readDockerfile, textsOf, variablesOf } from './dockerfile.ts';
import {
  at,
  blockWith,
  PAGE,
  PINNED,
  secondsKept,
  secondsToEnd,
  secondsToNotice,
  textAt,
  variables,
} from './guide.ts';
import { readYaml, type Data } from './read-yaml.ts';

const DEFAULT_PORTS = ['3000', '9464'];
const compose = (): Data | undefined => readYaml(blockWith('yaml', 'services:'))[0];
const kinds = (): ReadonlyMap<unknown, Data> =>
  new Map(readYaml(blockWith('yaml', 'kind: PodDisruptionBudget')).map((data) => [at(data, 'kind'), data]));
const namesOf = (data: Data | undefined): readonly string[] => Object.keys(data ?? {});

/** Seconds, as Compose and Caddy write them. */
const seconds = (text = ''): number => Number(/^(\d+)s$/.exec(text)?.[1]);

describe('YAML is read', () => {
  test('with its documents, scalars, lists and names', () => {
    const text = 'a: { b: [1, true, null], \'c d\': "2" }\ne:\n  - f: x:y\n    g:\n---\n- h\n';
    expect(readYaml(text)).toEqual([
      { a: { b: [1, true, null], 'c d': '2' }, e: [{ f: 'x:y', g: null }] },
      ['h'],
    ]);
  });

  test.each(['a: 1\na: 2', 'a: [1', 'a: *b'])('and %j is refused', (text) => {
    expect(() => readYaml(text)).toThrow();
  });
});

describe('the Dockerfile of the guide', () => {
  const stages = readDockerfile(blockWith('dockerfile', 'FROM'));
  const image = stages.at(-1) ?? { name: undefined, from: '', instructions: [] };

  test('builds on a Node that is tested', () => {
    expect(stages.map(({ from }) => from)).toEqual([image.from, image.from]);
    const [, version] = /^node:([\d.]+)-slim$/.exec(image.from) ?? [];
    expect(NODE_VERSIONS).toContain(version);
  });

  test('starts Node itself as a user who is not root, and checks that it lives', () => {
    expect(textsOf(image, 'USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
    expect(execForm(textsOf(image, 'CMD')[0])).toEqual(['node', 'dist/main.js']);
    const [health = ''] = textsOf(image, 'HEALTHCHECK');
    expect(execForm(health.replace(/^(--\S+ )*CMD /, '')).at(-1)).toContain('/livez');
  });

  test('sets variables that the program reads, and opens its ports', () => {
    const { NODE_ENV, ...own } = variablesOf(image);
    expect(NODE_ENV).toBe('production');
    expect([...variables().keys()]).toEqual(expect.arrayContaining(Object.keys(own)));
    expect([own['PORT'], own['OPERATIONS_PORT']]).toEqual(DEFAULT_PORTS);
    expect([variables().get('PORT'), variables().get('OPERATIONS_PORT')]).toEqual(DEFAULT_PORTS);
    expect(textsOf(image, 'EXPOSE')).toEqual([DEFAULT_PORTS.join(' ')]);
  });

  test('copies from your machine only what the context lets in', () => {
    const copied = stages.flatMap((stage) => textsOf(stage, 'COPY'));
    const sources = copied
      .filter((text) => !text.startsWith('--from'))
      .flatMap((text) => text.split(' ').slice(0, -1));
    expect(blockWith('text', '!src').split('\n')).toEqual(['*', ...sources.map((source) => `!${source}`)]);
  });
});

describe('the Compose file of the guide', () => {
  const app = (...path: string[]) => at(compose(), 'services', 'app', ...path);

  test('gives the program what it needs, and nothing that it does not read', () => {
    const given = namesOf(app('environment'));
    expect([...variables().keys()]).toEqual(expect.arrayContaining([...given]));
    const needed = [...variables()].flatMap(([name, initial]) => (initial === undefined ? name : []));
    expect(given).toEqual(expect.arrayContaining(needed));
    expect(app('secrets')).toEqual(namesOf(at(compose(), 'secrets')));
    expect(variables().get('SECRETS_FILE')).toBe(`'/run/secrets/${textAt(app('secrets'), 0)}'`);
  });

  test('waits for longer than the drain, and trusts the network of its proxy', () => {
    expect(seconds(textAt(app(), 'stop_grace_period'))).toBeGreaterThan(secondsToEnd());
    expect(app('environment', 'TRUSTED_PROXIES')).toBe(
      at(compose(), 'networks', 'default', 'ipam', 'config', 0, 'subnet'),
    );
    expect([app('read_only'), app('cap_drop')]).toEqual([true, ['ALL']]);
  });

  test('names each image with its version, and services and volumes that are there', () => {
    const services = Object.entries(at(compose(), 'services') as Readonly<Record<string, Data>>);
    const [names, volumes] = [services.map(([name]) => name), namesOf(at(compose(), 'volumes'))];
    for (const [, service] of services) {
      expect(at(service, 'image')).toMatch(PINNED);
      for (const name of namesOf(at(service, 'depends_on'))) {
        expect(names).toContain(name);
        // What others wait for has a check: of its own, or that of the Dockerfile
        const waited = at(compose(), 'services', name);
        expect(at(service, 'depends_on', name, 'condition')).toBe('service_healthy');
        expect(at(waited, 'healthcheck') ?? at(waited, 'build')).toBeDefined();
      }
      for (const volume of (at(service, 'volumes') ?? []) as readonly string[])
        expect(volumes.concat('./Caddyfile')).toContain(volume.split(':')[0]);
    }
    expect(app('ports')).toBeUndefined();
    expect(new URL(textAt(app('environment'), 'REDIS_URL')).hostname).toBe('redis');
    expect(at(compose(), 'services', 'redis', 'command')).toEqual(
      expect.arrayContaining(['--maxmemory-policy', 'noeviction']),
    );
  });

  test('has a proxy for the same name and port, which gives up idle connections before the server does', () => {
    const caddy = blockWith('text', 'reverse_proxy');
    expect(/^(\S+) \{/.exec(caddy)?.[1]).toBe(app('environment', 'ALLOWED_HOSTS'));
    expect(/dynamic a (\S+) (\d+)/.exec(caddy)?.slice(1)).toEqual(['app', DEFAULT_PORTS[0]]);
    expect(seconds(/keepalive (\S+)/.exec(caddy)?.[1])).toBeLessThan(secondsKept());
    const nginx = blockWith('nginx', 'proxy_pass');
    expect(seconds(/keepalive_timeout (\w+);/.exec(nginx)?.[1])).toBeLessThan(secondsKept());
    expect(/server_name (\S+);/.exec(nginx)?.[1]).toBe(app('environment', 'ALLOWED_HOSTS'));
    expect(/server 127\.0\.0\.1:(\d+);/.exec(nginx)?.[1]).toBe(DEFAULT_PORTS[0]);
  });
});

describe('the Kubernetes objects of the guide', () => {
  const deployment = (...path: (string | number)[]) => at(kinds().get('Deployment'), 'spec', ...path);
  const pod = (...path: (string | number)[]) => deployment('template', 'spec', ...path);
  const container = (...path: (string | number)[]) => pod('containers', 0, ...path);

  test('select the pods that the deployment makes', () => {
    const labels = deployment('template', 'metadata', 'labels');
    expect(labels).toEqual({ app: 'tasks' });
    expect(deployment('selector', 'matchLabels')).toEqual(labels);
    expect(at(kinds().get('Service'), 'spec', 'selector')).toEqual(labels);
    expect(at(kinds().get('PodDisruptionBudget'), 'spec', 'selector', 'matchLabels')).toEqual(labels);
    expect(at(kinds().get('PodDisruptionBudget'), 'spec', 'maxUnavailable')).toBeLessThan(
      Number(deployment('replicas')),
    );
  });

  test('name ports of the program: clients get one of them, and probes ask the other', () => {
    expect(container('ports')).toEqual([
      { name: 'mcp', containerPort: Number(DEFAULT_PORTS[0]) },
      { name: 'operations', containerPort: Number(DEFAULT_PORTS[1]) },
    ]);
    expect(at(kinds().get('Service'), 'spec', 'ports', 0, 'targetPort')).toBe('mcp');
    expect(container('livenessProbe', 'httpGet')).toEqual({ path: '/livez', port: 'operations' });
    expect(container('readinessProbe', 'httpGet')).toEqual({ path: '/readyz', port: 'operations' });
  });

  test('run workers as they run servers, and let the monitoring reach the other port alone', () => {
    const [worker, job, policy] = readYaml(blockWith('yaml', 'kind: NetworkPolicy'));
    const workers = at(worker, 'spec', 'template', 'spec');
    for (const name of [
      'securityContext',
      'terminationGracePeriodSeconds',
      'automountServiceAccountToken',
      'volumes',
    ])
      expect([name, at(workers, name)]).toEqual([name, pod(name)]);
    for (const name of ['image', 'resources', 'securityContext', 'livenessProbe', 'volumeMounts'])
      expect([name, at(workers, 'containers', 0, name)]).toEqual([name, container(name)]);
    expect(at(job, 'spec', 'template', 'spec', 'containers', 0, 'image')).toBe(container('image'));
    const labels = [
      deployment('template', 'metadata', 'labels'),
      at(worker, 'spec', 'template', 'metadata', 'labels'),
    ];
    expect(at(policy, 'spec', 'podSelector', 'matchExpressions', 0, 'values')).toEqual(
      labels.map((one) => at(one, 'app')),
    );
    const open = (at(policy, 'spec', 'ingress') as readonly Data[]).map((rule) =>
      at(rule, 'ports', 0, 'port'),
    );
    expect(open.map(String)).toEqual(DEFAULT_PORTS);
    expect(container('startupProbe', 'httpGet')).toEqual(container('readinessProbe', 'httpGet'));
  });

  test('wait for longer than the drain, which lasts until the probe has failed', () => {
    expect(pod('terminationGracePeriodSeconds')).toBeGreaterThan(secondsToEnd());
    const [every, times] = ['periodSeconds', 'failureThreshold'].map((name) =>
      container('readinessProbe', name),
    );
    expect(Number(every) * Number(times)).toBeLessThan(secondsToNotice());
  });

  test('run the image of the Dockerfile with its user, and with as few rights as it needs', () => {
    const [, image] = readDockerfile(blockWith('dockerfile', 'FROM'));
    const [user, group] = (image === undefined ? [] : textsOf(image, 'USER')).join().split(':');
    expect(pod('securityContext')).toMatchObject({
      runAsNonRoot: true,
      runAsUser: Number(user),
      runAsGroup: Number(group),
    });
    expect(container('securityContext')).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(container('image')).toMatch(PINNED);
    expect(container('image')).toBe(at(compose(), 'services', 'app', 'image'));
  });

  test('give the program the variables and the file of Compose', () => {
    const given = (container('env') as readonly Data[]).map((one) => at(one, 'name'));
    expect(given).toEqual(namesOf(at(compose(), 'services', 'app', 'environment')));
    const mount = container('volumeMounts', 0);
    const volume = pod('volumes', 0);
    expect(at(mount, 'name')).toBe(at(volume, 'name'));
    const path = `${textAt(mount, 'mountPath')}/${textAt(volume, 'secret', 'items', 0, 'path')}`;
    expect(variables().get('SECRETS_FILE')).toBe(`'${path}'`);
  });
});

test('the figures of the guide for several instances are those of the page on sizing', () => {
  const [, section = ''] = /^Begin with (.+?)\n\n/ms.exec(readText(PAGE)) ?? [];
  const figures: readonly string[] = section.match(/\d[\d,]*/g) ?? [];
  expect(figures.length).toBeGreaterThan(3);
  const known: readonly string[] = readText('docs/guides/scaling.md').match(/\d[\d,]*\d|\d/g) ?? [];
  expect(figures.filter((figure) => !known.includes(figure.replace(/,$/, '')))).toEqual([]);
});
