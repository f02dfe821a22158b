import { modelText } from './model-text.ts'

/** Id of the process by which leaves are asked for. */
export const leaveKey = 'leave'

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

/**
 * How a leave is decided: the chosen approver agrees or refuses; one of more than three days is then recorded by an
 * administrator.
 */
export const leaveModel = modelText({
  key: leaveKey,
  name: '请假流程',
  boxes,
  ways,
  elements: `    <startEvent id="apply" name="提交申请" />
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
    <sequenceFlow id="unrecorded" name="驳回" sourceRef="recorded" targetRef="refused" />`,
})
