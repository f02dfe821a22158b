import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inEnglish } from '../../../platform/i18n/english.ts'
import { type Known, readModel } from './read-model.ts'

const folder = new URL('models/', import.meta.url)

const known: Known = {
  actions: [
    { name: 'notice', fields: [{ name: 'to' }, { name: 'title' }, { name: 'content' }] },
    { name: 'setVariable', fields: [{ name: 'name' }, { name: 'value' }], resultIn: 'name' },
    { name: 'http', fields: [] },
  ],
  hosts: ['oa.example.com'],
  forms: ['leave', 'expense'],
}

const readFile = (name: string) => readModel(readFileSync(new URL(`${name}.bpmn`, folder), 'utf8'), known)

/** What offices draw with the editors of Flowable, Camunda and bpmn.io, and what is there once it is read. */
const deployed: Readonly<Record<string, object>> = {
  'leave-deputy': {
    key: 'leaveDeputy',
    name: '请假（带职务代理人）',
    graph: {
      initiatorVariables: ['INITIATOR'],
      listeners: [],
      nodes: {
        startEvent1: {
          form: {
            key: null,
            fields: [{ id: 'kind' }, { id: 'beginDate' }, { id: 'days' }, { id: 'deputy' }, { id: 'reason' }],
          },
        },
        'sid-6A1F0B0E-0D55-4C0E-9C77-0C7B6A3B1B01': { doers: { assignee: { initiator: true } }, listeners: [] },
        'sid-6A1F0B0E-0D55-4C0E-9C77-0C7B6A3B1B02': { doers: { assignee: { value: { name: 'deputy' } } } },
        'sid-6A1F0B0E-0D55-4C0E-9C77-0C7B6A3B1B03': { doers: { assignee: { account: 'kaowu' } } },
      },
    },
  },
  'expense-amount': {
    graph: {
      nodes: {
        start: { form: { key: 'expense' } },
        head: { doers: { assignee: { leaderOf: { initiator: true } } } },
        size: { out: [{ when: { sign: '>=', left: { name: 'amount' }, right: { value: 5000 } } }, { id: 'small' }] },
        board: { due: ['P3D'], priority: { value: 80 } },
      },
    },
  },
  'purchase-countersign': {
    graph: {
      nodes: {
        countersign: { loop: { sequential: false, collection: { name: 'signers' }, elementVariable: 'signer' } },
      },
    },
  },
  'document-circulation': {
    key: 'Process_circulation',
    graph: {
      nodes: {
        Activity_register: { form: { key: 'generic' }, doers: { assignee: { initiator: true } } },
        Activity_instruct: {
          documentation: '批示后即开始传阅',
          doers: { candidateUsers: [{ account: 'kaowu' }, { account: 'jigou' }], candidateGroups: [{ role: 'admin' }] },
        },
        Activity_read: { loop: { sequential: true, indexVariable: 'turn' } },
      },
    },
  },
  'onboarding-subprocess': {
    graph: {
      nodes: {
        Activity_prepare: { type: 'subProcess', start: 'Event_s2', boundary: ['Event_caught'] },
        Activity_account: { scope: 'Activity_prepare' },
        Event_failed: { how: 'error', errorCode: 'NOT_READY' },
        Event_caught: { errorCode: 'NOT_READY' },
      },
    },
  },
  'seal-use': {
    graph: { nodes: { office: { listeners: [{ event: 'complete', action: { name: 'notice' } }] } } },
  },
  'vehicle-use': {
    graph: {
      nodes: { fork: { type: 'parallelGateway' }, approve: { doers: { candidateUsers: [{ account: 'jigou' }, {}] } } },
    },
  },
  'contract-review': {
    graph: {
      nodes: {
        merge: { reachedFrom: ['start', 'split', 'legal', 'finance', 'equipment'] },
        split: { reachedFrom: [] },
      },
    },
  },
  overtime: { graph: { nodes: { start: { form: { key: 'generic' } }, long: { defaultLine: 'toHead' } } } },
  'business-trip': {
    graph: {
      nodes: {
        approve: { boundary: ['remind', 'late'] },
        remind: { interrupting: false, timer: { cycle: ['R3/PT24H'] } },
        late: { interrupting: true },
        away: { timer: { duration: ['P', { name: 'days' }, 'D'] } },
      },
    },
  },
  'recruitment-approval': {
    key: 'recruitment',
    graph: {
      nodes: {
        vote: { loop: { sequential: true, done: { sign: '>' } } },
        tell: { type: 'sendTask' },
        refused: { how: 'terminate' },
      },
    },
  },
  'oa-notification': {
    graph: {
      nodes: {
        push: { action: { name: 'http', resultVariable: 'oaAnswer' }, boundary: ['failed'] },
        failed: { errorCode: '' },
      },
    },
  },
  'asset-request': {
    graph: {
      nodes: {
        check: {
          called: ['goodsReceipt'],
          businessKey: { name: 'orderNo' },
          into: [{}, { target: 'total' }],
          outOf: [{}],
        },
      },
    },
  },
  'goods-receipt': {
    graph: {
      starters: { candidateGroups: [{ role: 'admin' }, { role: 'finance' }] },
      nodes: { arrived: { name: '等待到货' }, note: { action: { name: 'setVariable', resultVariable: 'accepted' } } },
    },
  },
  'meeting-room-activiti': {
    graph: {
      nodes: {
        usertask1: {
          doers: {
            candidateUsers: [{ account: 'kaowu' }],
            candidateGroups: [{ role: 'admin' }, { role: 'administrator' }],
          },
        },
        usertask2: { doers: { assignee: { initiator: true } } },
      },
    },
  },
}

/** What offices draw for other engines, with the words that say why it cannot be carried out. */
const refused: Readonly<Record<string, string>> = {
  'refused-java-class': '第6行：不能执行Java类org.springblade.flow.leave.DeductLeaveDelegate（deduct）',
  'refused-script': '第5行：不支持脚本任务（Activity_days）',
  'refused-event-gateway': '第6行：不支持事件网关（Gateway_wait）',
  'refused-mail': '第5行：不支持mail任务（sid-MAIL-1）',
  'refused-message-start': '第4行：不支持消息开始事件（StartEvent_message）',
  'refused-camunda-8': '第7行：不支持元素assignmentDefinition',
  'refused-spring-bean': '第5行：表达式中的findManager()不支持（approve）',
}

test('every model of the folder has its row', () => {
  const files = readdirSync(folder).map(name => name.replace(/\.bpmn$/, ''))
  expect(files.toSorted()).toEqual([...Object.keys(deployed), ...Object.keys(refused)].toSorted())
})

test.each(Object.entries(deployed))('%s deploys as it was drawn', (name, expected) => {
  expect(readFile(name)).toMatchObject(expected)
})

test.each(Object.entries(refused))('%s is refused in words', (name, words) => {
  expect(() => readFile(name)).toThrow(words)
  expect(inEnglish(words)).not.toMatch(/\p{Script=Han}/u)
})
