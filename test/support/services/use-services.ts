import { beforeAll } from '@jest/globals';
import { askService } from './ask-service.ts';
import type { ServiceName } from './service.ts';

export interface UsedServer {
  readonly url: string;
}

/** PostgreSQL for the tests of a file, which share the database with other files. It has no URL before they run. */
export function usePostgres(): UsedServer {
  return useServer('postgres');
}

/** Redis for the tests of a file, which share it with other files. It has no URL before they run. */
export function useRedis(): UsedServer {
  return useServer('redis');
}

function useServer(name: ServiceName): UsedServer {
  let address: string | undefined;
  beforeAll(async () => {
    address = await askService(name);
  });
  return {
    get url() {
      if (address === undefined) throw new Error('A server has no URL before the tests run.');
      return address;
    },
  };
}
