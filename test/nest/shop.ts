import type * as common from '@nestjs/common';
import type * as core from '@nestjs/core';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { of } from 'rxjs';
import { ROOT } from '../pins/docs/example.ts';
import { nestCall, type NestApplication } from 'toolwright/nest';

type Common = typeof common;
type Core = typeof core;
type Request = {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly ip?: string;
  readonly tenant?: string;
  readonly raw?: { readonly tenant?: string };
};

/** One major version of Nest with both platforms. */
export interface NestLibrary {
  readonly common: Common;
  readonly core: Core;
  readonly express: () => object;
  readonly fastify: () => object;
}

/** An application that can be reached. */
export type Listening = NestApplication & {
  listen(port: number, host: string): Promise<unknown>;
  getUrl(): Promise<string>;
  close(): Promise<void>;
};

/** Nest 12 has a folder of its own, because both majors have the same names. */
export function loadNest(major: 11 | 12): NestLibrary {
  const load = createRequire(major === 11 ? `${ROOT}package.json` : `${ROOT}.ci/nest-12/package.json`);
  if (
    !load.resolve('@nestjs/core').includes(major === 12 ? '/nest-12/node_modules/' : `${ROOT}node_modules/`)
  )
    throw new Error(`NestJS ${String(major)} is not installed: npm ci`);
  const { ExpressAdapter } = load('@nestjs/platform-express') as { ExpressAdapter: new () => object };
  const { FastifyAdapter } = load('@nestjs/platform-fastify') as { FastifyAdapter: new () => object };
  return {
    common: load('@nestjs/common') as Common,
    core: load('@nestjs/core') as Core,
    express: () => new ExpressAdapter(),
    fastify: () => new FastifyAdapter(),
  };
}

class Address {
  @IsString() @MinLength(2) city!: string;
}

export class CreateTask {
  @IsString() @MinLength(1) @MaxLength(40) title!: string;
  @IsInt() @Min(1) @Max(5) @IsOptional() priority?: number;
  @IsEmail() @IsOptional() owner?: string;
  @ValidateNested() @Type(() => Address) @IsOptional() address?: Address;
  @IsString()
  @Transform(({ value }) => (typeof value === 'string' ? `${value}!` : (value as unknown)))
  @IsOptional()
  note?: string;
}

export class FindTasks {
  @IsString() @IsOptional() text?: string;
  @IsInt() @Min(1) @Type(() => Number) @IsOptional() page?: number;
  @IsIn(['open', 'closed']) @IsOptional() state?: string;
}

export class RenameTask {
  @IsString() id!: string;
  @IsString() title!: string;
}

export class WideFilter {
  @IsBoolean() @Type(() => Boolean) @IsOptional() done?: boolean;
  @IsArray() @IsString({ each: true }) @IsOptional() ids?: string[];
  @IsBoolean()
  @Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : (value as unknown)))
  @IsOptional()
  fits?: boolean;
  @IsArray()
  @IsInt({ each: true })
  @Transform(({ value }) => [value].flat().map(Number))
  @IsOptional()
  counts?: number[];
}

interface Untyped {
  readonly anything: string;
}

/** What ran, in order. */
export const trace: string[] = [];
export const tenants = new AsyncLocalStorage<string>();
export const closedRequests: string[] = [];
export const carried: unknown[] = [];

/** The classes of a shop with more than 20 routes, decorated by one major version of Nest. */
export function shopModule({ common: nest }: NestLibrary): object {
  const requestOf = (context: { switchToHttp(): { getRequest(): Request } }): Request =>
    context.switchToHttp().getRequest();

  class RolesGuard {
    canActivate(context: never): boolean {
      trace.push('guard of the class');
      const { authorization } = requestOf(context).headers;
      if (authorization === undefined) throw new nest.UnauthorizedException();
      return authorization === 'Bearer admin';
    }
  }
  class Interceptor {
    async intercept(_context: unknown, next: { handle(): unknown }): Promise<unknown> {
      trace.push('interceptor');
      return Promise.resolve(next.handle());
    }
  }
  class Closed extends Error {}
  class ClosedFilter {
    catch(
      _error: unknown,
      host: { switchToHttp(): { getResponse(): { status(code: number): { send(body: unknown): void } } } },
    ): void {
      trace.push('filter');
      host.switchToHttp().getResponse().status(409).send({ message: 'already closed', code: 'TASK_CLOSED' });
    }
  }
  nest.Catch(Closed)(ClosedFilter);
  nest.Injectable()(RolesGuard);
  nest.Injectable()(Interceptor);

  @nest.Controller('tasks')
  @nest.UseInterceptors(Interceptor as never)
  class TasksController {
    @nest.Get() find(@nest.Query() filter: FindTasks): unknown {
      trace.push('handler');
      return { found: filter };
    }
    @nest.Get('wide/list') wide(@nest.Query() filter: WideFilter): unknown {
      return { filter };
    }
    @nest.Get(':id') read(@nest.Param('id', nest.ParseIntPipe) id: number): unknown {
      return { id, kind: typeof id };
    }
    @nest.Post() create(@nest.Body() task: CreateTask): unknown {
      trace.push('handler');
      return { task, isInstance: task instanceof CreateTask };
    }
    @nest.Put(':id') rename(@nest.Param('id') id: string, @nest.Body() body: RenameTask): unknown {
      return { id, body };
    }
    @nest.Post(':id/close') @nest.HttpCode(200) @nest.UseFilters(ClosedFilter as never) close(
      @nest.Param('id') id: string,
    ): unknown {
      if (id === 'done') throw new Closed();
      return { closed: id };
    }
    @nest.Delete(':id') @nest.HttpCode(204) @nest.UseGuards(RolesGuard) remove(
      @nest.Param('id') id: string,
    ): void {
      trace.push(`removed ${id}`);
    }
    @nest.Get(['by-name/:name', 'named/:name']) named(@nest.Param('name') name: string): unknown {
      return { name };
    }
    @nest.Post('untyped') untyped(@nest.Body() body: Untyped): unknown {
      return body;
    }
  }

  @nest.Controller('secrets')
  @nest.UseGuards(RolesGuard)
  class SecretsController {
    @nest.Get() list(): unknown {
      return ['secret'];
    }
  }

  @nest.Injectable({ scope: nest.Scope.REQUEST })
  class CurrentRequest {
    readonly id = Math.random();
  }

  @nest.Controller({ path: 'mine', scope: nest.Scope.REQUEST })
  class MineController {
    constructor(@nest.Inject(CurrentRequest) private readonly current: CurrentRequest) {}
    @nest.Get() async who(@nest.Query('name') name: string, @nest.Req() request: Request): Promise<unknown> {
      const first = this.current.id;
      await new Promise(setImmediate);
      return { name, same: first === this.current.id, ip: request.ip, tenant: tenants.getStore() ?? null };
    }
  }

  @nest.Controller('answers')
  class AnswersController {
    @nest.Get('text') text(): string {
      return 'plain';
    }
    @nest.Get('nothing') @nest.HttpCode(204) nothing(): void {}
    @nest.Get('observed') observed(): unknown {
      return of({ observed: true });
    }
    @nest.Get('csv') @nest.Header('content-type', 'text/csv') csv(): unknown {
      return new nest.StreamableFile(Readable.from(['a,b\n', '1,2\n']), { type: 'text/csv' });
    }
    @nest.Get('png') png(): unknown {
      return new nest.StreamableFile(Buffer.from('89504e47', 'hex'), { type: 'image/png' });
    }
    @nest.Get('zip') zip(): unknown {
      return new nest.StreamableFile(Buffer.from('504b', 'hex'), { type: 'application/zip' });
    }
    @nest.Get('large') large(): unknown {
      return { text: 'x'.repeat(200_000) };
    }
    @nest.Get('fails') fails(): unknown {
      throw new Error('secret of the database');
    }
    @nest.Get('missing') missing(): unknown {
      throw new nest.NotFoundException('no such task');
    }
    @nest.Get('busy') busy(): unknown {
      throw new nest.HttpException({ message: 'slow down' }, 429);
    }
    @nest.Get('slow') slow(
      @nest.Req()
      request: { readonly raw?: { on(event: string, run: () => void): void } } & {
        on?(event: string, run: () => void): void;
        socket: { on(event: string, run: () => void): void };
      },
    ): Promise<unknown> {
      trace.push('slow began');
      return new Promise((resolve) => {
        request.socket.on('close', () => {
          closedRequests.push('slow');
          resolve('late');
        });
      });
    }
    @nest.Get('caller') whoCalls(@nest.Req() request: object): unknown {
      const call = nestCall(request);
      carried.push(call);
      return { tool: call?.tool ?? null, action: call?.action ?? null };
    }
    @nest.Post('echo') echo(@nest.Req() request: Request): unknown {
      return { headers: request.headers };
    }
  }

  @nest.Controller()
  class HiddenController {
    @nest.Get('health') health(): string {
      return 'ok';
    }
    @nest.Post('auth/login') login(): string {
      return 'token';
    }
    @nest.Sse('events') events(): unknown {
      return of({ data: 'tick' });
    }
    @nest.Get('old') @nest.Redirect('/tasks') old(): void {}
    @nest.All('anything') anything(): string {
      return 'any';
    }
  }

  class SeenMiddleware {
    use(request: { tenant?: string }, _response: unknown, next: () => void): void {
      trace.push('middleware');
      request.tenant = 'seen';
      next();
    }
  }
  nest.Injectable()(SeenMiddleware);

  class ShopModule {
    configure(consumer: { apply(run: object): { forRoutes(path: string): void } }): void {
      consumer.apply(SeenMiddleware).forRoutes('*path');
    }
  }
  nest.Module({
    controllers: [TasksController, SecretsController, MineController, AnswersController, HiddenController],
    providers: [CurrentRequest, RolesGuard, Interceptor],
  })(ShopModule);
  return ShopModule;
}

/** An application that is configured as its `main.ts` would do it, and not initialized. */
export async function createShop(library: NestLibrary, platform: 'express' | 'fastify'): Promise<Listening> {
  const { core, common } = library;
  const app = await core.NestFactory.create(
    shopModule(library) as never,
    library[platform]() as never,
    { logger: false, abortOnError: false } as object,
  );
  app.setGlobalPrefix('api', { exclude: ['health'] });
  app.useGlobalPipes(
    new common.ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }),
  );
  // A busy process sends on a kept connection just when Nest, after five seconds, closes it
  Object.assign(app.getHttpServer() as object, { keepAliveTimeout: 0 });
  return app as never;
}
