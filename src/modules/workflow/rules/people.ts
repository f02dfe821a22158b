import { childrenOf, engineAttribute } from './element.ts'
import { type Expression, readExpression } from './expression.ts'
import type { Doers, GroupRef, PersonRef } from './flow-graph.ts'
import { FlowProblem } from './problem.ts'
import { about } from './supported-elements.ts'
import type { XmlElement } from './xml.ts'

/** Names of variables that hold who began a process. */
export type Initiators = ReadonlySet<string>

/** What editors call the one who began, whatever the start event says. */
const always = new Set(['initiator', 'INITIATOR'])

const inBraces = /^[$#]\{([\s\S]*)\}$/
const name = /^[\p{L}_][\p{L}\p{N}_]*$/u
const leader = /^leader\(([\s\S]+)\)$/
const id = /^[1-9]\d{0,18}$/

const isInitiator = (text: string, initiators: Initiators): boolean => always.has(text) || initiators.has(text)

function computed(text: string, inside: string, initiators: Initiators): PersonRef {
  if (name.test(inside) && isInitiator(inside, initiators)) return { initiator: true }
  const whose = leader.exec(inside)?.[1]?.trim()
  if (whose === undefined) return { value: readExpression(text) }
  if (isInitiator(whose, initiators)) return { leaderOf: { initiator: true } }
  return { leaderOf: readExpression(`\${${whose}}`) }
}

/** One person: who began, the id of a user, an account, or what an expression gives. @throws FlowProblem */
function readPerson(given: string, initiators: Initiators): PersonRef {
  const text = given.trim()
  if (text === '$INITIATOR') return { initiator: true }
  const inside = inBraces.exec(text)?.[1]?.trim()
  if (inside !== undefined) return computed(text, inside, initiators)
  if (id.test(text)) return { user: text }
  if (text.length > 64 || !/^[^\s,${}()'"<>]+$/.test(text)) throw new FlowProblem(`办理人不正确：${text.slice(0, 50)}`)
  return { account: text }
}

function readGroup(given: string): GroupRef {
  const text = given.trim()
  if (inBraces.test(text)) return { value: readExpression(text) }
  const [, kind = 'role', key = ''] = /^(?:(role|dept|post):)?([\w-]{1,64})$/.exec(text) ?? []
  if (key === '' || (kind === 'dept' && !id.test(key))) throw new FlowProblem(`候选组不正确：${text.slice(0, 50)}`)
  if (kind === 'dept') return { dept: key }
  return kind === 'post' ? { post: key } : { role: key }
}

/** The parts of a list that is joined with commas; those inside of braces belong to their part. */
const listed = (text: string | undefined): string[] =>
  (text?.match(/(?:[$#]\{[^}]*\}|[^,])+/g) ?? []).map(one => one.trim()).filter(one => one !== '')

/** Somebody in BPMN's own words: `user(x)`, `group(x)`, or what is meant where neither is said. */
interface Said {
  readonly users: readonly string[]
  readonly groups: readonly string[]
}

function saidBy(element: XmlElement, kind: 'potentialOwner' | 'humanPerformer'): Said {
  const texts = childrenOf(element, kind)
    .flatMap(one => childrenOf(one, 'resourceAssignmentExpression'))
    .flatMap(one => childrenOf(one, 'formalExpression'))
    .flatMap(({ text }) => text.match(/(?:\w+\([^)]*\)|[$#]\{[^}]*\}|[^,])+/g) ?? [])
    .map(one => one.trim())
    .filter(one => one !== '')
  const each = texts.map(text => {
    const [, as, inside] = /^(user|group)\(\s*([^)]*?)\s*\)$/.exec(text) ?? []
    const isUser = as ? as === 'user' : kind === 'humanPerformer'
    return { isUser, text: inside ?? text }
  })
  return {
    users: each.filter(({ isUser }) => isUser).map(({ text }) => text),
    groups: each.filter(({ isUser }) => !isUser).map(({ text }) => text),
  }
}

/**
 * Who does a task.
 * @throws FlowProblem when nobody is named, or somebody in a way that says nothing
 */
export function readDoers(element: XmlElement, initiators: Initiators): Doers {
  return about(element, () => {
    const performer = saidBy(element, 'humanPerformer')
    const owners = saidBy(element, 'potentialOwner')
    if (performer.users.length > 1 || performer.groups.length > 0) throw new FlowProblem('办理人只能是一个人')
    const assignee = engineAttribute(element, 'assignee') ?? performer.users[0]
    const owner = engineAttribute(element, 'owner')
    const users = [...listed(engineAttribute(element, 'candidateUsers')), ...owners.users]
    const groups = [...listed(engineAttribute(element, 'candidateGroups')), ...owners.groups]
    if (!assignee && users.length + groups.length === 0) throw new FlowProblem('缺少办理人')
    return {
      ...(assignee && { assignee: readPerson(assignee, initiators) }),
      ...(owner && { owner: readPerson(owner, initiators) }),
      candidateUsers: users.map(one => readPerson(one, initiators)),
      candidateGroups: groups.map(readGroup),
    }
  })
}

/** Who may begin a process. @throws FlowProblem */
export const readStarters = (process: XmlElement): Pick<Doers, 'candidateUsers' | 'candidateGroups'> =>
  about(process, () => ({
    candidateUsers: listed(engineAttribute(process, 'candidateStarterUsers')).map(one =>
      fixed(readPerson(one, new Set())),
    ),
    candidateGroups: listed(engineAttribute(process, 'candidateStarterGroups')).map(one => fixed(readGroup(one))),
  }))

/** Before a process has begun it has no variables. */
function fixed<T extends PersonRef | GroupRef>(one: T): T {
  if ('user' in one || 'account' in one || 'role' in one || 'dept' in one || 'post' in one) return one
  throw new FlowProblem('可发起人不能含变量')
}

/** A priority: a whole number, or what an expression gives. @throws FlowProblem */
export function readPriority(text: string): Expression {
  if (inBraces.test(text)) return readExpression(text)
  if (!/^\d{1,9}$/.test(text)) throw new FlowProblem('优先级应为整数')
  return { value: Number(text) }
}
