const heads = [
  'xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xmlns:flowable="http://flowable.org/bpmn" targetNamespace="x"',
]

/** A model with one process. */
export const bpmn = (id: string, inside = ''): string =>
  `<definitions ${heads.join(' ')}>\n<process id="${id}" name="流程${id}">\n${inside}\n</process></definitions>`

/** A task for somebody (`#{boss}`, a number) or for roles. */
export const task = (id: string, who: { assignee: string } | { candidateGroups: string }): string =>
  `<userTask id="${id}" name="步骤${id}" ${Object.entries(who).map(([name, value]) => `flowable:${name}="${value}"`)}/>`

/** Lines of a model, `a>b` or `a>b condition`, each of an id of its own: `a-b`. */
export const lines = (...each: readonly string[]): string =>
  each
    .map(one => {
      const [, from, to, when] = /^(\w+)>(\w+)(?: (.+))?$/.exec(one) ?? []
      const inside = when
        ? `<conditionExpression xsi:type="tFormalExpression"><![CDATA[\${${when}}]]></conditionExpression>`
        : ''
      return `<sequenceFlow id="${from}-${to}" sourceRef="${from}" targetRef="${to}">${inside}</sequenceFlow>`
    })
    .join('\n')

/** A model from its beginning over one task to its end. */
export const straight = (id: string, who: Parameters<typeof task>[1] = { assignee: '#{taskUser}' }): string =>
  bpmn(id, `<startEvent id="s"/>${task('t', who)}<endEvent id="e" name="完"/>${lines('s>t', 't>e')}`)
