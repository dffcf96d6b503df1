import { expect, test } from '@jest/globals';
import { readText } from '../docs/example.ts';
import { blockWith, PAGE, secondsToEnd, variables } from './guide.ts';

const YES = /^yes$/;
const HARDENINGS = [
  ...['LockPersonality', 'ProtectClock', 'ProtectControlGroups', 'ProtectHostname', 'ProtectKernelLogs'],
  ...['ProtectKernelModules', 'ProtectKernelTunables', 'RestrictNamespaces', 'RestrictRealtime'],
  'RestrictSUIDSGID',
];
const WORDS = /^[A-Za-z0-9_.-]+( [A-Za-z0-9_.-]+)*$/;

/** The settings that the unit may have (systemd.unit, systemd.exec, systemd.service, systemd.kill), and their forms. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  Unit: { Description: /./, After: /^[\w-]+\.target$/, Wants: /^[\w-]+\.target$/ },
  Service: {
    ExecStart: /^\/\S+( \S+)*$/,
    Environment: /^\w+=\S+( \w+=\S+)*$/,
    EnvironmentFile: /^\/\S+$/,
    LoadCredential: /^[\w.]+:\/\S+$/,
    DynamicUser: YES,
    Group: WORDS,
    RuntimeDirectory: /^[\w-]+$/,
    StateDirectory: /^[\w-]+$/,
    TimeoutStopSec: /^\d+$/,
    Restart: /^(no|on-failure|always)$/,
    NoNewPrivileges: YES,
    ProtectSystem: /^(yes|full|strict)$/,
    ProtectHome: /^(yes|read-only|tmpfs)$/,
    PrivateTmp: YES,
    PrivateDevices: YES,
    RestrictAddressFamilies: /^AF_\w+( AF_\w+)*$/,
    CapabilityBoundingSet: /^$/,
    UMask: /^0[0-7]{3}$/,
    MemoryMax: /^\d+[MG]$/,
    ProtectProc: /^invisible$/,
    SystemCallArchitectures: /^native$/,
    SystemCallFilter: /^@system-service$/,
    ...Object.fromEntries(HARDENINGS.map((name) => [name, YES])),
  },
  Install: { WantedBy: /^[\w-]+\.target$/ },
};

/** The settings by section and name; a line that is neither, or a name that stands twice, is an error. */
function readUnit(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, heading] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    else if (name === undefined) throw new Error(`Not a setting: ${line}`);
    else if (settings.has(`${section}.${name}`)) throw new Error(`Twice: ${line}`);
    else settings.set(`${section}.${name}`, value);
  }
  return settings;
}

const unit = (program = 'main.js'): ReadonlyMap<string, string> => readUnit(blockWith('ini', program));

test.each(['main.js', 'worker.js'])(
  'the unit of %s has settings that systemd knows, in their forms',
  (program) => {
    const wrong = [...unit(program)].filter(([place, value]) => {
      const [section = '', name = ''] = place.split('.');
      return SETTINGS[section]?.[name]?.test(value) !== true;
    });
    expect(wrong).toEqual([]);
    expect(unit(program).size).toBeGreaterThan(25);
    expect(Number(unit(program).get('Service.TimeoutStopSec'))).toBeGreaterThan(secondsToEnd());
  },
);

test('it waits for longer than the drain of the program, which is 25 seconds, and 5 for the rest', () => {
  expect(secondsToEnd()).toBe(30);
  expect(Number(unit().get('Service.TimeoutStopSec'))).toBeGreaterThan(secondsToEnd());
});

test('it starts node itself, and has the folder of the socket', () => {
  expect(unit().get('Service.ExecStart')).toMatch(/^\/usr\/bin\/node \S+\.js$/);
  const sockets = [...readText(PAGE).matchAll(/\/run\/(\w+)\/mcp\.sock/g)].map(([, folder]) => folder);
  expect(new Set(sockets)).toEqual(new Set([unit().get('Service.RuntimeDirectory')]));
});

test('it gives the program the variables that it needs, none that it does not read, and its secret', () => {
  const namesIn = (text = ''): readonly string[] =>
    text.split(/\s+/).flatMap((pair) => /^(\w+)=/.exec(pair)?.[1] ?? []);
  const own = unit().get('Service.Environment');
  const given = [...namesIn(own), ...namesIn(blockWith('text', 'REDIS_URL'))];
  const needed = [...variables()].flatMap(([name, initial]) => (initial === undefined ? name : []));
  expect(given).toEqual(expect.arrayContaining(needed));
  expect(['NODE_ENV', ...variables().keys()]).toEqual(expect.arrayContaining([...given]));
  expect(new Set(given).size).toBe(given.length);
  const [credential = ''] = unit().get('Service.LoadCredential')?.split(':') ?? [];
  expect(own).toContain(`SECRETS_FILE=%d/${credential}`);
});
