import { describe, expect, test } from 'vitest'
import { bpmn, lines, task } from '../../../../tests/helper/flow-bench.ts'
import { durationText } from './duration.ts'
import type { Variables } from './expression.ts'
import { advance } from './graph.ts'
import { readModel } from './model.ts'

const boss = task('t', { assignee: '#{boss}' })
const whole = (inside: string) => bpmn('p', `<startEvent id="s"/>${inside}<endEvent id="e"/>`)

describe('a model', () => {
  test.each([
    ['a timer', whole(`${boss}\n<boundaryEvent id="b" attachedToRef="t"/>`), '第4行：不支持元素boundaryEvent b'],
    ['work side by side', whole(`<parallelGateway id="g"/>`), '第3行：不支持元素parallelGateway g'],
    ['a task for a program', whole('<serviceTask id="x"/>'), '不支持元素serviceTask x'],
    ['repetition', whole('<userTask id="t"><multiInstanceLoopCharacteristics/></userTask>'), '不支持元素multiInstance'],
    [
      'a listener',
      whole('<userTask id="t"><extensionElements><flowable:taskListener class="X"/></extensionElements></userTask>'),
      '不支持元素taskListener',
    ],
    [
      'people to choose from',
      whole('<userTask id="t" flowable:candidateUsers="1"/>'),
      '第3行的t：不支持candidateUsers',
    ],
    ['nobody', whole(`<userTask id="t"/>${lines('s>t', 't>e')}`), '第3行的t：缺少办理人'],
    ['a call', whole(task('t', { assignee: '#{bean.find()}' })), '办理人应为用户编号或一个变量'],
    ['no beginning', bpmn('p', '<endEvent id="e"/>'), '应有且只有一个开始事件'],
    ['two beginnings', whole('<startEvent id="s2"/>'), '应有且只有一个开始事件'],
    ['no way on', whole(boss + lines('s>t')), '第3行的t：缺少出口'],
    ['two ways at once', whole(boss + lines('s>t', 't>e', 't>t')), '第3行的t：只能有一个出口'],
    ['what cannot be reached', whole(boss + lines('s>e', 't>e')), '第3行的t：从开始事件不能到达'],
    ['no end', bpmn('p', `<startEvent id="s"/>${boss}${lines('s>t', 't>t')}`), '没有可到达的结束事件'],
    ['a line to nowhere', whole(boss + lines('s>t', 't>x')), '引用的元素不存在：x'],
    ['an id twice', whole(`${boss}${boss}${lines('s>t', 't>e')}`), '编号t重复'],
    ['a condition elsewhere', whole(boss + lines('s>t', 't>e pass')), '第4行的t-e：只有排他网关的分支可以有条件'],
    [
      'a program as a condition',
      whole(`${boss}<exclusiveGateway id="g"/>${lines('s>t', 't>g', 'g>e f.g()')}`),
      '第5行的g-e：表达式中的g()不支持',
    ],
    [
      'a branch without a condition',
      whole(`${boss}<exclusiveGateway id="g"/>${lines('s>t', 't>g', 'g>e', 'g>t')}`),
      '第3行的g：网关的分支缺少条件',
    ],
    [
      'gateways in a circle',
      whole(
        `<exclusiveGateway id="g"/><exclusiveGateway id="h" default="h-g"/>${lines('s>g', 'g>h', 'h>e pass', 'h>g')}`,
      ),
      '第3行的g：网关之间形成循环',
    ],
    ['a prefix from nowhere', whole('<userTask id="t" x:assignee="1"/>'), '第3行：无法解析'],
    ['two processes', whole(boss).replace('</definitions>', '<process id="q"/></definitions>'), '只能有一个流程'],
  ])('is refused for %s', async (_name, xml, words) => {
    await expect(readModel(xml)).rejects.toThrow(words)
  })

  test('may have lanes, notes and a drawing', async () => {
    const extra = '<laneSet id="l"><lane id="l1"><flowNodeRef>t</flowNodeRef></lane></laneSet><textAnnotation id="n"/>'
    const model = await readModel(whole(`${extra}${boss}${lines('s>t', 't>e')}`))
    expect(model).toMatchObject({ key: 'p', name: '流程p' })
    expect(Object.keys(model.graph.nodes)).toEqual(['s', 't', 'e'])
  })
})

const gate = `<exclusiveGateway id="g" default="g-e"/>`
const sized = lines('s>t', 't>g', 'g>e', 'g>t !pass', 'g>u days > 3', 'u>e')

describe('the way on', () => {
  const model = readModel(whole(`${boss}${gate}${task('u', { candidateGroups: 'admin, hr' })}${sized}`))
  const from = async (id: string, variables: Variables) => {
    const { passed, at } = advance((await model).graph, id, variables)
    return [...passed.map(one => one.id), at.id].join(' ')
  }

  test.each([
    ['the beginning leads to the first task', 's', {}, 's-t t'],
    ['refused goes back', 't', { pass: false, days: 9 }, 't-g g g-t t'],
    ['the first condition that holds counts', 't', { pass: true, days: 4 }, 't-g g g-u u'],
    ['none holds: the default', 't', { pass: true, days: 3 }, 't-g g g-e e'],
    ['the end', 'u', {}, 'u-e e'],
  ])('%s', async (_name, id, variables, way) => expect(await from(id, variables)).toBe(way))

  test('is nowhere when no branch holds and there is no default', async () => {
    const xml = whole(`${boss}<exclusiveGateway id="g"/>${lines('s>t', 't>g', 'g>e pass', 'g>t days > 3')}`)
    const { graph } = await readModel(xml)
    expect(() => advance(graph, 't', { pass: false, days: 1 })).toThrow('g没有可走的分支')
  })
})

test.each([
  [0, '0秒'],
  [59_999, '59秒'],
  [3_720_000, '1小时2分钟'],
  [86_400_000, '1天'],
  [187_200_000, '2天4小时'],
])('%i ms are said as %s', (milliseconds, words) => expect(durationText(milliseconds)).toBe(words))
