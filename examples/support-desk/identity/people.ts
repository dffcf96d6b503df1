/** What the identity provider knows of a person. */
export interface Person {
  readonly tenant: string;
  readonly roles: readonly string[];
}

/** Two companies that share the help desk, and must not see each other. */
export const PEOPLE: ReadonlyMap<string, Person> = new Map([
  ['ann', { tenant: 'north', roles: ['agent'] }],
  ['lee', { tenant: 'north', roles: ['lead'] }],
  ['ada', { tenant: 'north', roles: ['admin'] }],
  ['sam', { tenant: 'south', roles: ['agent'] }],
  ['lou', { tenant: 'south', roles: ['lead'] }],
  ['max', { tenant: 'south', roles: ['admin'] }],
]);
