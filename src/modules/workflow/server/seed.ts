import { FlowCategory } from '#schemas/dictionaries'
import { firstTenant } from '../../../platform/database/first-tenant.ts'
import { liveFor, withRemoved } from '../../../platform/database/live.ts'
import type { ModuleSeed } from '../../../platform/tenants/server/seed/module-seed.ts'
import type { Seeding } from '../../../platform/tenants/server/seed/tenant.ts'
import { readModel } from '../rules/read-model.ts'
import { expenseKey, expenseModel } from './expense-model.ts'
import { deployModel } from './flow-deploy.ts'
import { knownToModels } from './known.ts'

/** Id of the process by which leaves are asked for. */
const key = 'leave'

/** Where the steps are drawn: left, top, width and height. */
const boxes = {
  apply: [0, 102, 36, 36],
  approve: [90, 80, 110, 80],
  decided: [260, 95, 50, 50],
  record: [400, 80, 110, 80],
  recorded: [570, 95, 50, 50],
  agreed: [720, 102, 36, 36],
  refused: [720, 232, 36, 36],
} as const
/** Along which points the lines are drawn. */
const ways: Readonly<Record<string, readonly (readonly [x: number, y: number])[]>> = {
  applied: [
    [36, 120],
    [90, 120],
  ],
  judged: [
    [200, 120],
    [260, 120],
  ],
  long: [
    [310, 120],
    [400, 120],
  ],
  noted: [
    [510, 120],
    [570, 120],
  ],
  yes: [
    [620, 120],
    [720, 120],
  ],
  short: [
    [285, 95],
    [285, 30],
    [738, 30],
    [738, 102],
  ],
  no: [
    [285, 145],
    [285, 250],
    [720, 250],
  ],
  unrecorded: [
    [595, 145],
    [595, 190],
    [738, 190],
    [738, 232],
  ],
}

const shapes = Object.entries(boxes).map(
  ([id, [x, y, width, height]]) => `      <bpmndi:BPMNShape id="${id}_shape" bpmnElement="${id}">
        <dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}" />
      </bpmndi:BPMNShape>
`,
)
const edges = Object.entries(ways).map(
  ([id, points]) => `      <bpmndi:BPMNEdge id="${id}_edge" bpmnElement="${id}">
${points.map(([x, y]) => `        <di:waypoint x="${x}" y="${y}" />`).join('\n')}
      </bpmndi:BPMNEdge>
`,
)

/**
 * How a leave is decided: the chosen approver agrees or refuses; one of more than three days is then recorded by an
 * administrator.
 */
const leaveModel = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:flowable="http://flowable.org/bpmn" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI"
  xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI"
  targetNamespace="leave">
  <process id="${key}" name="请假流程" isExecutable="true">
    <startEvent id="apply" name="提交申请" />
    <userTask id="approve" name="审批" flowable:assignee="\${taskUser}" />
    <exclusiveGateway id="decided" name="审批结果" default="short" />
    <userTask id="record" name="人事备案" flowable:candidateGroups="administrator,admin" />
    <exclusiveGateway id="recorded" name="备案结果" default="unrecorded" />
    <endEvent id="agreed" name="已同意" />
    <endEvent id="refused" name="已驳回" />
    <sequenceFlow id="applied" sourceRef="apply" targetRef="approve" />
    <sequenceFlow id="judged" sourceRef="approve" targetRef="decided" />
    <sequenceFlow id="no" name="驳回" sourceRef="decided" targetRef="refused">
      <conditionExpression xsi:type="tFormalExpression"><![CDATA[\${!pass}]]></conditionExpression>
    </sequenceFlow>
    <sequenceFlow id="long" name="超过三天" sourceRef="decided" targetRef="record">
      <conditionExpression xsi:type="tFormalExpression"><![CDATA[\${days > 3}]]></conditionExpression>
    </sequenceFlow>
    <sequenceFlow id="short" name="三天以内" sourceRef="decided" targetRef="agreed" />
    <sequenceFlow id="noted" sourceRef="record" targetRef="recorded" />
    <sequenceFlow id="yes" name="已备案" sourceRef="recorded" targetRef="agreed">
      <conditionExpression xsi:type="tFormalExpression"><![CDATA[\${pass}]]></conditionExpression>
    </sequenceFlow>
    <sequenceFlow id="unrecorded" name="驳回" sourceRef="recorded" targetRef="refused" />
  </process>
  <bpmndi:BPMNDiagram id="drawing">
    <bpmndi:BPMNPlane id="plane" bpmnElement="${key}">
${[...shapes, ...edges].join('')}    </bpmndi:BPMNPlane>
  </bpmndi:BPMNDiagram>
</definitions>
`

/** A process that every tenant begins with. */
interface Given {
  readonly key: string
  readonly xml: string
  readonly category: number
}

/** A process in a tenant that has never had it. What its administrators make of it stays so. */
async function deployOnce({ trx, now }: Pick<Seeding, 'trx' | 'now'>, tenantId: string, given: Given): Promise<void> {
  const { key, xml, category } = given
  const db = liveFor(trx, { tenantId, userId: null, now: () => now })
  const known = db.selectFrom(withRemoved('flow_deployment')).select('id').where('modelKey', '=', key)
  if (await known.limit(1).executeTakeFirst()) return
  await deployModel(db, now, { ...readModel(xml, knownToModels), xml, category })
}

const leave: Given = { key, xml: leaveModel, category: FlowCategory.leave }

/** The process by which leaves are asked for. */
export const leaveSeed: ModuleSeed = {
  source: leaveModel,
  installation: seeding => deployOnce(seeding, firstTenant, leave),
  tenant: (seeding, tenantId) => deployOnce(seeding, tenantId, leave),
}

const claims: Given = { key: expenseKey, xml: expenseModel, category: FlowCategory.expense }

/** The process by which money is claimed back. */
export const expenseSeed: ModuleSeed = {
  source: expenseModel,
  installation: seeding => deployOnce(seeding, firstTenant, claims),
  tenant: (seeding, tenantId) => deployOnce(seeding, tenantId, claims),
}
