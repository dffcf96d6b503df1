/** What a stranger does with tsyringe, in each of its kinds: prints what an application answers, one line each. */
import { Action, Injectable, McpApplication, Module, ToolGroup } from 'toolwright';
import {
  container,
  delay,
  inject,
  injectable,
  injectAll,
  injectWithTransform,
  instanceCachingFactory,
  Lifecycle,
  registry,
  scoped,
  singleton,
} from 'tsyringe';

@injectable()
class Engine {
  readonly power = 90;
}

@injectable()
class Car {
  constructor(readonly engine: Engine) {}
}

@singleton()
class Garage {
  readonly cars: Car[] = [];
}

@scoped(Lifecycle.ContainerScoped)
class OfApplication {}

@scoped(Lifecycle.ResolutionScoped)
class OfCall {}

@injectable({ token: 'Wheel' })
class Front {
  readonly side = 'front';
}

@injectable({ token: 'Wheel' })
class Back {
  readonly side = 'back';
}

class Double {
  transform(engine: Engine, factor: number): number {
    return engine.power * factor;
  }
}
injectable()(Double);

@registry([{ token: 'colour', useValue: 'red' }])
class Registers {}

container.register('made', { useFactory: instanceCachingFactory(() => ({ name: Registers.name })) });
container.register('alias', { useToken: 'colour' });

const intercepted: string[] = [];
container.afterResolution('colour', () => void intercepted.push('colour'), { frequency: 'Once' });

@Injectable()
class Left {
  readonly name = 'left';
  constructor(@inject(delay(() => Right)) readonly right: { readonly name: string }) {}
}

@Injectable()
class Right {
  readonly name = 'right';
  constructor(readonly left: Left) {}
}

@ToolGroup('cars')
class CarTools {
  constructor(
    private readonly garage: Garage,
    private readonly left: Left,
    @injectAll('Wheel') private readonly wheels: readonly (Front | Back)[],
    @injectWithTransform(Engine, Double, 2) private readonly doubled: number,
    @inject('made') private readonly made: { readonly name: string },
    @inject('absent', { isOptional: true }) private readonly absent?: string,
  ) {}

  @Action()
  look(
    car: Car,
    garage: Garage,
    first: OfCall,
    second: OfCall,
    application: OfApplication,
    @inject('colour') colour: string,
    @inject('alias') alias: string,
  ): string {
    return [
      car.engine.power,
      garage === this.garage && garage === container.resolve(Garage),
      this.left.right.name,
      this.wheels.map(({ side }) => side).join(),
      this.doubled,
      this.made === container.resolve('made'),
      this.absent ?? 'absent',
      first === second,
      application instanceof OfApplication,
      colour === alias && colour,
    ].join(' ');
  }
}

@Module({ controllers: [CarTools], providers: [Garage, Left, Right] })
class CarsModule {}

const app = await McpApplication.create(CarsModule);
const { content } = await app.call('cars', { action: 'look' });
console.log(content[0]?.type === 'text' ? content[0].text : 'no text');
console.log(
  intercepted.join(),
  container.isRegistered(CarTools),
  app.get(Garage) === container.resolve(Garage),
);
await app.close();
