import {
  Injectable,
  SetMetadata,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';

export interface User {
  readonly sub: string;
  readonly audience: string;
  readonly roles: readonly string[];
}

interface UserRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: User;
}

export const AUDIENCE = 'https://shop.example/mcp';

/** Tokens of two people. A shop of yours verifies those of its identity provider here. */
const USERS: Readonly<Record<string, User>> = {
  'token-of-ada': { sub: 'ada', audience: AUDIENCE, roles: [] },
  'token-of-max': { sub: 'max', audience: AUDIENCE, roles: ['staff'] },
};

@Injectable()
export class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<UserRequest>();
    const user = USERS[(request.headers['authorization'] ?? '').replace('Bearer ', '')];
    if (user === undefined) throw new UnauthorizedException();
    request.user = user;
    return true;
  }
}

export const Staff = (): MethodDecorator & ClassDecorator => SetMetadata('roles', ['staff']);

@Injectable()
export class RolesGuard implements CanActivate {
  readonly #reflector = new Reflector();

  canActivate(context: ExecutionContext): boolean {
    const places = [context.getHandler(), context.getClass()];
    const roles = this.#reflector.getAllAndOverride<readonly string[] | undefined>('roles', places);
    const { user } = context.switchToHttp().getRequest<UserRequest>();
    return roles === undefined || roles.some((role) => user?.roles.includes(role) === true);
  }
}
