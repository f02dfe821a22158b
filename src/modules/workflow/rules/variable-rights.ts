import { isVariableName, variablesOf } from './expression.ts'
import type { FlowNode, FormField, Graph, GroupRef, PersonRef } from './flow-graph.ts'
import { FlowProblem } from './problem.ts'
import { templateVariables } from './template.ts'
import type { Scalar, Value, Variables } from './value.ts'

/** Names that a process fills itself. */
const own = [
  'pass',
  'initiator',
  'INITIATOR',
  'applicant',
  'loopCounter',
  'nrOfInstances',
  'nrOfActiveInstances',
  'nrOfCompletedInstances',
  'nrOfPassed',
  'nrOfRejected',
]

function readBy(ref: PersonRef | GroupRef): string[] {
  if ('value' in ref) return variablesOf(ref.value)
  if ('leaderOf' in ref && !('initiator' in ref.leaderOf)) return variablesOf(ref.leaderOf)
  return []
}

/** Variables that say who does something, how often, and what is called: whoever does a task must not choose them. */
function steering(node: FlowNode): string[] {
  const { loop } = node
  const people =
    node.type === 'userTask'
      ? [
          ...(node.doers.assignee ? [node.doers.assignee] : []),
          ...(node.doers.owner ? [node.doers.owner] : []),
          ...node.doers.candidateUsers,
          ...node.doers.candidateGroups,
        ].flatMap(readBy)
      : []
  const action = node.type === 'serviceTask' || node.type === 'sendTask' ? node.action : undefined
  return [
    ...people,
    ...(node.type === 'callActivity' ? templateVariables(node.called) : []),
    ...(action?.resultVariable ? [action.resultVariable] : []),
    ...(loop?.collection ? variablesOf(loop.collection) : []),
    ...(loop?.cardinality ? variablesOf(loop.cardinality) : []),
    ...(loop?.elementVariable ? [loop.elementVariable] : []),
    ...(loop?.indexVariable ? [loop.indexVariable] : []),
  ]
}

/** Names that nobody sets by a task. */
const reservedOf = (graph: Graph): Set<string> =>
  new Set([...own, ...graph.initiatorVariables, ...Object.values(graph.nodes).flatMap(steering)])

/** Fields of the form of a step that may be filled in. */
export const fieldsAt = (node: FlowNode): readonly FormField[] =>
  (node.type === 'userTask' || node.type === 'startEvent') && node.form ? node.form.fields : []

/**
 * Looks whether the variables that come with a decision may be set: where the step has fields, those that may be filled in;
 * else any but facts, what the process fills itself, and what says who does something.
 * @throws FlowProblem naming the first that may not
 */
export function requireSettable(
  graph: Graph,
  node: FlowNode,
  facts: Variables,
  given: Readonly<Record<string, unknown>>,
) {
  const fields = fieldsAt(node)
  const writable = new Set(fields.filter(one => one.writable).map(({ id }) => id))
  const reserved = reservedOf(graph)
  for (const name of Object.keys(given)) {
    const isAllowed =
      fields.length > 0
        ? writable.has(name)
        : isVariableName(name) && !reserved.has(name) && !Object.hasOwn(facts, name)
    if (!isAllowed) throw new FlowProblem(`变量${name.slice(0, 64)}不能修改`)
  }
}

const date = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/

/** A value of a field; undefined for one that is none. */
function fieldValue({ type, values }: FormField, given: unknown): Value | undefined {
  switch (type) {
    case 'boolean':
      return given === true || given === 'true' ? true : given === false || given === 'false' ? false : undefined
    case 'long':
      return Number.isSafeInteger(Number(given)) && String(given).trim() !== '' ? Number(given) : undefined
    case 'double': {
      const text = String(given).trim()
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? text : undefined
    }
    case 'date':
      return typeof given === 'string' && date.test(given) && !Number.isNaN(Date.parse(given.slice(0, 10)))
        ? given
        : undefined
    case 'enum':
      return values?.some(({ id }) => id === given) ? (given as string) : undefined
    default:
      return typeof given === 'string' && given.length <= 2000 && !given.includes('\0') ? given : undefined
  }
}

const isNothing = (given: unknown) => given === undefined || given === null || given === ''

/**
 * Reads what was filled into the fields of a form. Amounts stay texts, so that nothing of them is lost.
 * @param isWhole whether required fields that are missing are refused
 * @throws FlowProblem naming the field
 */
export function readFields(
  fields: readonly FormField[],
  given: Readonly<Record<string, unknown>>,
  isWhole: boolean,
): Record<string, Value> {
  const found: Record<string, Value> = {}
  for (const field of fields) {
    if (!field.writable) continue
    const own = Object.hasOwn(given, field.id) ? given[field.id] : undefined
    if (isNothing(own)) {
      if (field.required && isWhole) throw new FlowProblem(`请输入${field.name}`)
      if (own !== undefined) found[field.id] = null
      continue
    }
    const value = fieldValue(field, own)
    if (value === undefined) throw new FlowProblem(`${field.name}不正确`)
    found[field.id] = value
  }
  return found
}

const isScalar = (value: unknown): value is Scalar =>
  value === null ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (typeof value === 'string' && value.length <= 500)

/** What somebody sets of a process: plain values, not many of them. @throws FlowProblem */
export function plainVariables(given: Readonly<Record<string, unknown>>): Readonly<Record<string, Scalar>> {
  const found = Object.entries(given)
  const isRight =
    found.length <= 50 && found.every(([name, value]) => /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u.test(name) && isScalar(value))
  if (!isRight || JSON.stringify(given).includes('\\u0000')) throw new FlowProblem('流程变量不正确')
  return Object.fromEntries(found) as Record<string, Scalar>
}
