import { describe, expect, test } from 'vitest'
import { each, expression, graphOf, Play, type Step, sign, template } from '../../../../../tests/helper/flow-graphs.ts'
import { addSigns, canTakeBack, received, removeSign, takeBack } from './acts.ts'
import { FlowError } from './env.ts'
import { Run } from './run.ts'
import type { Stored, Task } from './state.ts'
import { ahead } from './ways.ts'

const action = (name: string, more: object = {}): Step => ({
  type: 'serviceTask',
  action: { name, fields: {} },
  ...more,
})
const user = (more: Partial<Step> = {}): Step =>
  ({ type: 'userTask', doers: { candidateUsers: [], candidateGroups: [] }, ...more }) as Step
const timer = (attachedTo: string, text: string, interrupting = true): Step => ({
  type: 'boundaryEvent',
  attachedTo,
  interrupting,
  timer: text.startsWith('R') ? { cycle: template(text) } : { duration: template(text) },
})
const error = (attachedTo: string, errorCode = ''): Step => ({
  type: 'boundaryEvent',
  attachedTo,
  interrupting: true,
  errorCode,
})
const inside = (scope: string, step: Step): Step => ({ ...step, scope })

const begun = (graph: ReturnType<typeof graphOf>, facts: Stored = {}, actions = {}) =>
  new Play(graph, facts, actions).start()

describe('gateways', () => {
  const expense = graphOf(
    { s: 'start', a: 'user', g: 'xor', board: 'user', e: 'end' },
    's>a',
    'a>g',
    'g>board amount >= 5000',
    'g>e *',
    'board>e',
  )

  test.each([
    ['6000', 'board:of-board'],
    ['4999.99', ''],
  ])('an amount of %s goes its way', async (amount, open) => {
    const play = await begun(expense, { amount })
    await play.decide('a')
    expect(play.open).toBe(open)
    expect(play.state.status).toBe(open ? 1 : 2)
  })

  test('a missing variable refuses the step, and the task is still open', async () => {
    const play = await begun(expense)
    await expect(play.decide('a')).rejects.toThrow('缺少流程变量：amount')
    expect(play.open).toBe('a:of-a')
  })

  test('no way that is open refuses the step', async () => {
    const graph = graphOf({ s: 'start', a: 'user', g: 'xor', e: 'end' }, 's>a', 'a>g', 'g>e pass')
    await expect((await begun(graph)).decide('a', false)).rejects.toThrow('g没有可走的分支')
  })

  const fork = graphOf(
    { s: 'start', f: 'and', a: 'user', b: 'user', j: 'and', c: 'user', e: 'end' },
    ...['s>f', 'f>a', 'f>b', 'a>j', 'b>j', 'j>c', 'c>e'],
  )

  test('a fork has all its branches, and a join waits for each', async () => {
    const play = await begun(fork)
    expect(play.open).toBe('a:of-a b:of-b')
    await play.decide('b')
    expect(play.open).toBe('a:of-a j')
    await play.decide('a')
    expect(play.open).toBe('c:of-c')
    await play.decide('c')
    expect([play.state.status, play.open]).toEqual([2, ''])
    expect(play.history.join(' ')).toBe('s s-f f f-a f-b a b b-j a-j j j-c c c-e e')
  })

  test('a join that one branch never comes to is no silent end', async () => {
    const graph = graphOf(
      { s: 'start', a: 'user', g: 'xor', j: 'and', e: 'end' },
      ...['s>a', 'a>g', 'g>j pass', 'g>e *', 'a>j', 'j>e'],
    )
    const play = await begun(graph)
    await play.decide('a')
    expect(play.state.status).toBe(2)
    const other = await begun(graph)
    await expect(other.decide('a', false)).rejects.toThrow('j等待的分支不会再来')
  })

  const inclusive = graphOf(
    { s: 'start', f: 'or', a: 'user', b: 'user', c: 'user', d: 'user', j: 'or', k: 'user', e: 'end' },
    ...['s>f', 'f>a x > 1', 'f>b x > 2', 'f>c x > 100', 'f>d *', 'a>j', 'b>j', 'c>j', 'd>j', 'j>k', 'k>e'],
  )

  test.each([
    [5, 'a:of-a b:of-b'],
    [2, 'a:of-a'],
    [0, 'd:of-d'],
    [101, 'a:of-a b:of-b c:of-c'],
  ])('an inclusive fork of %i takes %s, and its join waits for those alone', async (x, open) => {
    const play = await begun(inclusive, { x })
    expect(play.open).toBe(open)
    for (const step of open.split(' ')) {
      expect(play.open).not.toContain('k')
      await play.decide(step)
    }
    expect(play.open).toBe('k:of-k')
  })

  test('a task with several ways takes all that are open', async () => {
    const graph = graphOf(
      { s: 'start', a: 'user', b: 'user', c: 'user', d: 'user', e: 'end' },
      ...['s>a', 'a>b', 'a>c x > 1', 'a>d x > 9', 'b>e', 'c>e', 'd>e'],
    )
    const play = await begun(graph, { x: 5 })
    await play.decide('a')
    expect(play.open).toBe('b:of-b c:of-c')
    await play.decide('b')
    expect(play.state.status).toBe(1)
    await play.decide('c')
    expect(play.state.status).toBe(2)
  })

  test('turning without anybody doing anything is stopped', async () => {
    const graph = graphOf({ s: 'start', t: 'task', g: 'xor', e: 'end' }, 's>t', 't>g', 'g>e never', 'g>t *')
    await expect(begun(graph, { never: false })).rejects.toThrow('流程循环过多')
  })
})

describe('several people at one step', () => {
  const people = (loop: object, ...ways: string[]) =>
    graphOf(
      { s: 'start', a: user({ loop: each('people', loop) }), g: 'xor', yes: 'end', no: 'user' },
      's>a',
      'a>g',
      ...(ways.length > 0 ? ways : ['g>yes pass', 'g>no *', 'no>yes']),
    )
  const three = { people: ['1', '2', '3'] }

  test('half of three are two; the third is asked no more', async () => {
    const play = await begun(people({ until: 'nrOfCompletedInstances / nrOfInstances >= 0.5' }), three)
    expect(play.open).toBe('a:1 a:2 a:3')
    await play.decide('a:1')
    expect(play.open).toBe('a:2 a:3')
    await play.decide('a:3')
    expect([play.open, play.state.status]).toEqual(['', 2])
    expect([...play.state.tasks.values()].map(one => one.state)).toEqual([5, 8, 5])
  })

  test('one after the other: who comes behind a veto never sees it', async () => {
    const play = await begun(people({ sequential: true, until: 'nrOfRejected > 0' }), three)
    expect(play.open).toBe('a:1')
    await play.decide('a:1')
    expect(play.open).toBe('a:2')
    await play.decide('a:2', false)
    expect(play.open).toBe('no:of-no')
    expect(play.state.variables.pass).toBe(false)
    expect(play.state.tasks.size).toBe(3)
  })

  test('all of them, and every opinion counts', async () => {
    const play = await begun(people({}), three)
    await play.decide('a:2', false)
    await play.decide('a:1')
    await play.decide('a:3')
    expect(play.open).toBe('no:of-no')
  })

  test('one of them is enough', async () => {
    const play = await begun(people({ until: 'nrOfCompletedInstances >= 1' }), three)
    await play.decide('a:2')
    expect(play.state.status).toBe(2)
  })

  test('more than half', async () => {
    const play = await begun(people({ until: 'nrOfPassed / nrOfInstances > 0.5' }), three)
    await play.decide('a:2', false)
    await play.decide('a:1')
    expect(play.open).toBe('a:3')
    await play.decide('a:3')
    expect(play.open).toBe('no:of-no')
  })

  test('nobody: it is passed', async () => {
    const play = await begun(people({}), { people: [] })
    expect([play.state.status, play.state.variables.pass]).toEqual([2, true])
  })

  test.each([
    ['no list', { people: '1,2' }, 'a的会签名单不是列表'],
    ['too many', { people: Array.from({ length: 10_000 }, String) }, 'a的会签不能超过200人'],
  ])('are refused for %s', async (_name, facts, words) => {
    await expect(begun(people({}), facts as Stored)).rejects.toThrow(words)
  })

  test('a number of them', async () => {
    const loop = { sequential: true, cardinality: expression('n'), indexVariable: 'at' }
    const graph = graphOf({ s: 'start', a: action('note', { loop }), e: 'end' }, 's>a', 'a>e')
    let times = 0
    const play = await begun(graph, { n: 3 }, { note: () => void ++times })
    expect([times, play.state.status]).toEqual([3, 2])
  })

  test('a sub-process with a fork inside, for each', async () => {
    const graph = graphOf(
      {
        s: 'start',
        p: { type: 'subProcess', start: 'is', loop: each('people') },
        is: inside('p', { type: 'startEvent' }),
        f: inside('p', { type: 'parallelGateway' }),
        a: inside('p', user()),
        b: inside('p', user()),
        ie: inside('p', { type: 'endEvent', how: 'none' }),
        z: 'user',
        e: 'end',
      },
      ...['s>p', 'p>z', 'z>e', 'is>f', 'f>a', 'f>b', 'a>ie', 'b>ie'],
    )
    const play = await begun(graph, { people: ['1', '2'] })
    expect(play.open).toBe('a:1 a:2 b:1 b:2')
    for (const one of ['a:1', 'b:2', 'a:2']) await play.decide(one)
    expect(play.open).toBe('b:1')
    await play.decide('b:1')
    expect(play.open).toBe('z:of-z')
  })
})

describe('a refusal', () => {
  test('ends a run whose model asks nobody for it', async () => {
    const play = await begun(graphOf({ s: 'start', a: 'user', b: 'user', e: 'end' }, 's>a', 'a>b', 'b>e'))
    await play.decide('a', false)
    expect(play.state).toMatchObject({ status: 3, passState: 2, endReason: '审批不通过' })
    expect(play.open).toBe('')
  })

  test('goes its way where a condition before the next task asks', async () => {
    const graph = graphOf(
      { s: 'start', a: 'user', t: 'task', g: 'xor', e: 'end', b: 'user' },
      ...['s>a', 'a>t', 't>g', 'g>b !pass', 'g>e *', 'b>e'],
    )
    const play = await begun(graph)
    await play.decide('a', false)
    expect(play.open).toBe('b:of-b')
  })

  test('out of a sub-process is heeded behind it', async () => {
    const graph = graphOf(
      {
        s: 'start',
        p: { type: 'subProcess', start: 'is' },
        is: inside('p', { type: 'startEvent' }),
        a: inside('p', user()),
        ie: inside('p', { type: 'endEvent', how: 'none' }),
        g: 'xor',
        no: 'user',
        e: 'end',
      },
      ...['s>p', 'p>g', 'g>e pass', 'g>no *', 'no>e', 'is>a', 'a>ie'],
    )
    const play = await begun(graph)
    await play.decide('a', false)
    expect(play.open).toBe('no:of-no')
  })
})

describe('times', () => {
  const graph = (text: string, interrupting: boolean) =>
    graphOf(
      { s: 'start', a: 'user', t: timer('a', text, interrupting), n: action('urge'), b: 'user', e: 'end' },
      ...(interrupting ? ['s>a', 'a>e', 't>b', 'b>e'] : ['s>a', 'a>e', 't>n', 'n>e']),
    )
  let urged = 0
  const actions = { urge: () => void ++urged }

  test('that interrupt take the task away', async () => {
    const play = await begun(graph('PT60S', true))
    expect(play.last?.timers).toMatchObject([{ node: 't', due: new Date('2026-06-01T00:01:00Z'), again: null }])
    await play.fire('a', 't')
    expect(play.open).toBe('b:of-b')
    expect([...play.state.tasks.values()][0]?.state).toBe(8)
  })

  test('that do not interrupt leave it', async () => {
    urged = 0
    const play = await begun(graph('R3/PT10S', false), {}, actions)
    expect(play.last?.timers).toMatchObject([{ again: { left: 2, every: 10_000 } }])
    await play.fire('a', 't')
    expect([play.open, urged]).toEqual(['a:of-a', 1])
    await play.decide('a')
    expect(play.state.status).toBe(2)
    expect(play.last?.over.some(({ node }) => node === 'a')).toBe(true)
  })

  test.each([
    ['PT9S', '定时不能短于10秒'],
    ['R101/PT10S', '定时最多重复100次'],
    ['R/PT10S', '定时最多重复100次'],
    ['tomorrow', '时间不正确：tomorrow'],
  ])('%s is refused', async (text, words) => {
    await expect(begun(graph(text, true))).rejects.toThrow(words)
  })

  test('between two steps', async () => {
    const wait: Step = { type: 'intermediateCatchEvent', timer: { date: template(`$\{until}`) } }
    const play = await begun(graphOf({ s: 'start', w: wait, e: 'end' }, 's>w', 'w>e'), { until: '2026-07-01' })
    expect(play.last?.timers).toMatchObject([{ node: 'w', due: new Date('2026-06-30T16:00:00Z') }])
    await play.fire('w', 'w')
    expect(play.state.status).toBe(2)
  })
})

test('a receive task waits until it is told', async () => {
  const graph = graphOf({ s: 'start', r: 'receive', a: 'user', e: 'end' }, 's>r', 'r>a', 'a>e')
  expect([...ahead(graph, 'r')].toSorted()).toEqual(['a', 'e'])
  const play = await begun(graph)
  expect(play.open).toBe('r')
  await play.move(run => received(run, run.token(play.tokenAt('r').id)))
  expect(play.open).toBe('a:of-a')
})

describe('errors', () => {
  const scoped = (how: Step) =>
    graphOf(
      {
        s: 'start',
        p: { type: 'subProcess', start: 'is' },
        is: inside('p', { type: 'startEvent' }),
        f: inside('p', { type: 'parallelGateway' }),
        a: inside('p', user({ loop: each('people') })),
        b: inside('p', user()),
        bad: inside('p', how),
        ie: inside('p', { type: 'endEvent', how: 'none' }),
        x: error('p', 'E1'),
        fix: 'user',
        e: 'end',
      },
      ...['s>p', 'p>e', 'is>f', 'f>a', 'f>b', 'a>ie', 'b>bad', 'x>fix', 'fix>e'],
    )

  test('of an end are caught at the border, and what is inside ends', async () => {
    const play = await begun(scoped({ type: 'endEvent', how: 'error', errorCode: 'E1' }), { people: ['1', '2'] })
    expect(play.open).toBe('a:1 a:2 b:of-b')
    await play.decide('b')
    expect(play.open).toBe('fix:of-fix')
  })

  test('that nothing catches refuse the move', async () => {
    const play = await begun(scoped({ type: 'endEvent', how: 'error', errorCode: 'E2' }), { people: ['1'] })
    await expect(play.decide('b')).rejects.toThrow(FlowError)
    expect(play.open).toBe('a:1 b:of-b')
  })

  test('of an action are caught', async () => {
    const fails = () => {
      throw new FlowError('E9', 'no')
    }
    const graph = graphOf(
      { s: 'start', t: action('x'), c: error('t'), a: 'user', e: 'end' },
      's>t',
      't>e',
      'c>a',
      'a>e',
    )
    expect((await begun(graph, {}, { x: fails })).open).toBe('a:of-a')
    const later = await begun(graph, {}, { x: 'after' })
    expect(later.last?.calls).toMatchObject([{ node: 't', action: 'x', waits: true }])
    expect(later.open).toBe('t')
    expect((await later.answer('t', { error: 'E3' })).open).toBe('a:of-a')
  })

  test('terminate ends what is around it, and no more', async () => {
    const play = await begun(scoped({ type: 'endEvent', how: 'terminate' }), { people: ['1', '2'] })
    await play.decide('b')
    expect([play.open, play.state.status]).toEqual(['', 2])
  })
})

describe('actions and calls', () => {
  test('a result becomes a variable', async () => {
    const graph = graphOf(
      { s: 'start', t: action('x', { action: { name: 'x', fields: {}, resultVariable: 'r' } }), e: 'end' },
      's>t',
      't>e',
    )
    expect((await begun(graph, {}, { x: () => 7 })).text('r')).toBe('7')
    const later = await begun(graph, {}, { x: 'after' })
    expect((await later.answer('t', { result: ['a'] })).text('r')).toBe('a')
    await expect(begun(graph, { r: 1 }, { x: () => 7 })).rejects.toThrow('变量r不能修改')
  })

  const call: Step = {
    type: 'callActivity',
    called: template(`sub-$\{kind}`),
    inherit: false,
    into: [{ source: expression('amount * 2'), target: 'twice' }],
    outOf: [{ source: expression('note'), target: 'answer' }],
  }
  const graph = graphOf({ s: 'start', c: call, x: error('c'), a: 'user', e: 'end' }, 's>c', 'c>e', 'x>a', 'a>e')

  test('another process is begun, and gives back what it is asked for', async () => {
    const play = await begun(graph, { kind: 'a', amount: '12.5', other: 1 })
    expect(play.last?.children).toMatchObject([{ key: 'sub-a', node: 'c', variables: { twice: 25 } }])
    await play.child('c', { variables: { note: 'fine', pass: false } })
    expect([play.state.status, play.text('answer'), play.state.variables.pass]).toEqual([2, 'fine', false])
  })

  test('its error is caught here', async () => {
    const play = await begun(graph, { kind: 'a', amount: 1 })
    expect((await play.child('c', { error: 'E' })).open).toBe('a:of-a')
  })
})

describe('going back', () => {
  const graph = graphOf(
    {
      s: 'start',
      a: 'user',
      f: 'and',
      b: 'user',
      c: 'user',
      c2: 'user',
      j: 'and',
      d: 'user',
      e: 'end',
    },
    ...['s>a', 'a>f', 'f>b', 'f>c', 'b>j', 'c>c2', 'c2>j', 'j>d', 'd>e'],
  )
  const forked = async () => (await begun(graph)).decide('a')

  test('leads to what every way passes, and no further in than one is', async () => {
    const play = await forked()
    expect(play.targets('b')).toBe('a s')
    await play.decide('c')
    expect(play.targets('c2')).toBe('a c s')
    await play.decide('c2')
    await play.decide('b')
    expect(play.targets('d')).toBe('a s')
  })

  test('ends both branches', async () => {
    const play = await forked()
    await play.decide('c')
    await play.back('b', 'a')
    expect(play.open).toBe('a:of-a')
    expect([...play.state.tasks.values()].map(one => `${one.node}${one.state}`)).toEqual([
      'a5',
      'b6',
      'c5',
      'c28',
      'a2',
    ])
    await play.decide('a')
    expect(play.open).toBe('b:of-b c:of-c')
  })

  test('and straight here again brings back all that was ended', async () => {
    const play = await forked()
    await play.decide('c')
    await play.decide('c2')
    expect(play.open).toBe('b:of-b j')
    await play.back('b', 'a', true)
    expect(play.open).toBe('a:of-a')
    await play.decide('a')
    expect(play.open).toBe('b:of-b j')
    await play.decide('b')
    expect(play.open).toBe('d:of-d')
  })

  test('to who began it, whose form comes again', async () => {
    const play = await forked()
    await play.back('c', 's')
    expect(play.open).toBe('s:1')
    await play.decide('s')
    expect(play.open).toBe('a:of-a')
  })

  test('out of a sub-process for each, inside one and out of all', async () => {
    const many = graphOf(
      {
        s: 'start',
        z: 'user',
        p: { type: 'subProcess', start: 'is', loop: each('people') },
        is: inside('p', { type: 'startEvent' }),
        a: inside('p', user()),
        b: inside('p', user()),
        ie: inside('p', { type: 'endEvent', how: 'none' }),
        e: 'end',
      },
      ...['s>z', 'z>p', 'p>e', 'is>a', 'a>b', 'b>ie'],
    )
    const play = await begun(many, { people: ['1', '2'] })
    await play.decide('z')
    await play.decide('a:1')
    await play.decide('a:2')
    expect(play.targets('b')).toBe('a s z')
    await play.back('b:1', 'a')
    expect(play.open).toBe('a:1 b:2')
    await play.back('b:2', 'z', true)
    expect(play.open).toBe('z:of-z')
    await play.decide('z')
    expect(play.open).toBe('a:1 b:2')
    for (const one of ['b:2', 'a:1', 'b:1']) await play.decide(one)
    expect(play.state.status).toBe(2)
  })
})

describe('taking back', () => {
  const back = async (play: Play, at: string) => {
    const task = [...play.state.tasks.values()].findLast(
      one => one.state === 5 && `${one.node}:${one.assignee}`.startsWith(at),
    ) as Task
    const can = canTakeBack(new Run(play.graph, play.state, play.env), task)
    if (can) await play.move(run => takeBack(run, run.state.tasks.get(task.id) as Task))
    return can
  }
  const graph = graphOf(
    { s: 'start', a: 'user', f: 'and', b: 'user', c: 'user', j: 'and', d: 'user', e: 'end' },
    ...['s>a', 'a>f', 'f>b', 'f>c', 'b>j', 'c>j', 'j>d', 'd>e'],
  )

  test('is possible until somebody has done something', async () => {
    const play = await begun(graph)
    await play.decide('a')
    expect(await back(play, 'a')).toBe(true)
    expect(play.open).toBe('a:of-a')
    await play.decide('a')
    await play.decide('b')
    expect(await back(play, 'a')).toBe(false)
  })

  test('undoes a join', async () => {
    const play = await begun(graph)
    for (const one of ['a', 'b', 'c']) await play.decide(one)
    expect(play.open).toBe('d:of-d')
    expect(await back(play, 'c')).toBe(true)
    expect(play.open).toBe('c:of-c j')
    await play.decide('c')
    expect(play.open).toBe('d:of-d')
  })

  test('undoes the end of several people’s step, and of one of them', async () => {
    const many = graphOf(
      { s: 'start', a: user({ loop: each('people', { until: 'nrOfCompletedInstances >= 2' }) }), b: 'user', e: 'end' },
      's>a',
      'a>b',
      'b>e',
    )
    const play = await begun(many, { people: ['1', '2', '3'] })
    await play.decide('a:1')
    expect(await back(play, 'a')).toBe(true)
    expect(play.open).toBe('a:1 a:2 a:3')
    await play.decide('a:1')
    await play.decide('a:2')
    expect(play.open).toBe('b:of-b')
    expect(await back(play, 'a:1')).toBe(false)
    expect(await back(play, 'a:2')).toBe(true)
    expect(play.open).toBe('a:2 a:3')
    await play.decide('a:3')
    expect(play.open).toBe('b:of-b')
  })

  test('is too late when an action has run', async () => {
    const acting = graphOf({ s: 'start', a: 'user', t: action('x'), b: 'user', e: 'end' }, 's>a', 'a>t', 't>b', 'b>e')
    const play = await begun(acting, {}, { x: () => undefined })
    await play.decide('a')
    expect(await back(play, 'a')).toBe(false)
  })
})

describe('asking others to sign', () => {
  const graph = graphOf({ s: 'start', a: 'user', b: 'user', e: 'end' }, 's>a', 'a>b', 'b>e')

  test('before: mine waits until theirs are done', async () => {
    const play = await begun(graph)
    await play.task('a', (run, task) => addSigns(run, task, sign('before', '7', '8')))
    expect(play.taskAt('a', 'of-a').state).toBe(4)
    await play.decide('a:7', false)
    expect(play.taskAt('a', 'of-a').state).toBe(4)
    await play.task('a:8', (run, task) => removeSign(run, task))
    expect([play.taskAt('a', 'of-a').state, play.open]).toEqual([2, 'a:of-a'])
    await play.decide('a')
    expect(play.open).toBe('b:of-b')
  })

  test('after: mine is done, and theirs count', async () => {
    const play = await begun(graph)
    await play.task('a', (run, task) => addSigns(run, task, sign('after', '7')), true)
    expect(play.open).toBe('a:7')
    await play.decide('a:7')
    expect(play.open).toBe('b:of-b')
  })

  test('beside others: they are of those who decide together', async () => {
    const many = graphOf(
      { s: 'start', a: user({ loop: each('people', { until: 'nrOfCompletedInstances >= 3' }) }), e: 'end' },
      's>a',
      'a>e',
    )
    const play = await begun(many, { people: ['1', '2'] })
    await play.task('a:1', (run, task) => addSigns(run, task, sign('parallel', '3')))
    expect(play.open).toBe('a:1 a:2 a:3')
    await play.decide('a:1')
    await play.decide('a:2')
    expect(play.open).toBe('a:3')
    await play.task('a:3', (run, task) => removeSign(run, task))
    expect(play.state.status).toBe(2)
    const alone = await begun(graph)
    await expect(alone.task('a', (run, task) => addSigns(run, task, sign('parallel', '3')))).rejects.toThrow('并行会签')
  })
})

test('variables are not endless', async () => {
  const play = await begun(graphOf({ s: 'start', a: 'user', b: 'user', e: 'end' }, 's>a', 'a>b', 'b>e'))
  await expect(play.decide('a', true, { x: 'x'.repeat(70_000) })).rejects.toThrow('流程变量过大')
  expect(play.open).toBe('a:of-a')
})
