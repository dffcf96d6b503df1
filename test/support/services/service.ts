/** A program that tests talk to, and that `npm ci` does not bring along everywhere. */
export interface Service {
  readonly name: string;
  /** The environment variable that names one. */
  readonly variable: string;
  /** What the variable has to be. */
  readonly wanted: string;
  /** Programs that have to be in one folder; any of the lists will do, and the first of a list is what is started. */
  readonly programs: readonly (readonly string[])[];
  /** A folder of Debian with a folder for each version, whose `bin` is not on the PATH. */
  readonly versions: string | undefined;
  /** The packages of Debian. */
  readonly packages: readonly string[];
}

export const POSTGRES: Service = {
  name: 'PostgreSQL',
  variable: 'TOOLWRIGHT_POSTGRES_URL',
  wanted: 'the URL of a database that they may use',
  programs: [['postgres', 'initdb']],
  versions: '/usr/lib/postgresql',
  packages: ['postgresql'],
};

export const REDIS: Service = {
  name: 'Redis',
  variable: 'TOOLWRIGHT_REDIS_URL',
  wanted: 'the URL of a server that they may use',
  programs: [['redis-server']],
  versions: undefined,
  packages: ['redis-server'],
};

/** Without the windows of a browser it takes a third of the time; another browser does as well. */
export const CHROMIUM: Service = {
  name: 'Chromium',
  variable: 'TOOLWRIGHT_CHROMIUM',
  wanted: 'the path of the browser',
  programs: [
    ['chromium-headless-shell'],
    ['chromium'],
    ['chromium-browser'],
    ['google-chrome'],
    ['google-chrome-stable'],
    ['chrome'],
  ],
  versions: undefined,
  packages: ['chromium-headless-shell'],
};

export const ZSH: Service = {
  name: 'zsh',
  variable: 'TOOLWRIGHT_ZSH',
  wanted: 'the path of the shell',
  programs: [['zsh']],
  versions: undefined,
  packages: ['zsh'],
};

export const FISH: Service = {
  name: 'fish',
  variable: 'TOOLWRIGHT_FISH',
  wanted: 'the path of the shell',
  programs: [['fish']],
  versions: undefined,
  packages: ['fish'],
};

export const SERVICES = {
  postgres: POSTGRES,
  redis: REDIS,
  /** One that runs, and serves all suites: starting it takes longer than most tests. */
  browser: CHROMIUM,
  /** The program. */
  chromium: CHROMIUM,
  zsh: ZSH,
  fish: FISH,
} as const;
export type ServiceName = keyof typeof SERVICES;
