import { IsBoolean, IsString } from 'class-validator';
import { Action, ReadOnly, ToolContext, ToolGroup, type Answer } from 'toolwright';

class Name {
  @IsString() name!: string;
}

class Colour {
  @IsString() color!: string;
}

class Confirmation {
  @IsBoolean() ok!: boolean;
}

/**
 * Tools that ask before they answer. Where a client cannot be asked during a call, the framework answers with
 * `input_required` and runs the handler again with what came back.
 */
@ToolGroup({ name: 'input-required', prefix: 'test_input_required_result' })
export class InputRequiredTools {
  @Action({ name: 'elicitation', description: 'Greets the user, whose name it asks for' })
  @ReadOnly()
  async elicitation(ctx: ToolContext) {
    const asked = await ctx.ask(Name, 'What is your name?', { name: 'user_name', mayBeOffered: true });
    return `Hello, ${nameOf(asked)}!`;
  }

  @Action({ name: 'sampling', description: "Asks the client's model for a capital" })
  @ReadOnly()
  async sampling(ctx: ToolContext) {
    const question = 'What is the capital of France?';
    const { text } = await ctx.sample(
      { messages: [{ role: 'user', content: question }], maxTokens: 100 },
      { name: 'capital_question' },
    );
    return text;
  }

  @Action({ name: 'list_roots', description: "Names the client's roots" })
  @ReadOnly()
  async listRoots(ctx: ToolContext) {
    const roots = await ctx.roots({ name: 'client_roots' });
    return `Roots: ${roots.map(({ uri }) => uri).join(', ')}`;
  }

  @Action({ name: 'request_state', description: 'Goes on where it stopped to ask' })
  @ReadOnly()
  async requestState(ctx: ToolContext) {
    const { action } = await ctx.ask(Confirmation, 'Please confirm', { name: 'confirm' });
    return `state-ok, and the user said ${action}`;
  }

  @Action({ name: 'tampered_state', description: 'Refuses a state that is not its own' })
  @ReadOnly()
  async tamperedState(ctx: ToolContext) {
    const { action } = await ctx.ask(Confirmation, 'Please confirm', { name: 'confirm' });
    return `The user said ${action}`;
  }

  @Action({ name: 'multiple_inputs', description: 'Asks three things at once' })
  @ReadOnly()
  async multipleInputs(ctx: ToolContext) {
    const [name, greeting, roots] = await Promise.all([
      ctx.ask(Name, 'What is your name?', { name: 'user_name' }),
      ctx.sample(
        { messages: [{ role: 'user', content: 'Generate a greeting' }], maxTokens: 50 },
        { name: 'greeting' },
      ),
      ctx.roots({ name: 'client_roots' }),
    ]);
    return `${greeting.text} ${nameOf(name)} works in ${String(roots.length)} places`;
  }

  @Action({ name: 'multi_round', description: 'Asks one thing after the other' })
  @ReadOnly()
  async multiRound(ctx: ToolContext) {
    const name = nameOf(await ctx.ask(Name, 'Step 1: What is your name?', { name: 'step1' }));
    const answer = await ctx.ask(Colour, 'Step 2: What is your favorite color?', { name: 'step2' });
    return `${name} likes ${answer.action === 'accept' ? answer.content.color : 'no color'}`;
  }

  @Action({ name: 'capabilities', description: 'Asks what the client can be asked' })
  @ReadOnly()
  async capabilities(ctx: ToolContext) {
    const { elicitation, sampling, roots } = ctx.client.capabilities;
    const answers = await Promise.all([
      elicitation === undefined ? undefined : ctx.ask(Name, 'What is your name?', { name: 'user_name' }),
      sampling === undefined ? undefined : ctx.sample('Generate a greeting', { name: 'greeting' }),
      roots === undefined ? undefined : ctx.roots({ name: 'client_roots' }),
    ]);
    return `${String(answers.filter((answer) => answer !== undefined).length)} answers`;
  }
}

function nameOf(answer: Answer<Name>): string {
  return answer.action === 'accept' ? answer.content.name : 'stranger';
}
