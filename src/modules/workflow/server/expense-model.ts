import { modelText } from './model-text.ts'

/** Id of the process by which money is claimed back. */
export const expenseKey = 'expense'

/** Where the steps are drawn: left, top, width and height. */
const boxes = {
  claim: [160, 182, 36, 36],
  approve: [250, 160, 110, 80],
  decided: [420, 175, 50, 50],
  sign: [530, 40, 110, 80],
  signed: [700, 55, 50, 50],
  pay: [700, 160, 110, 80],
  paid: [872, 182, 36, 36],
  refused: [872, 292, 36, 36],
} as const

/** Along which points the lines are drawn. */
const ways: Readonly<Record<string, readonly (readonly [x: number, y: number])[]>> = {
  claimed: [
    [196, 200],
    [250, 200],
  ],
  judged: [
    [360, 200],
    [420, 200],
  ],
  large: [
    [445, 175],
    [445, 80],
    [530, 80],
  ],
  small: [
    [470, 200],
    [700, 200],
  ],
  no: [
    [445, 225],
    [445, 310],
    [872, 310],
  ],
  counted: [
    [640, 80],
    [700, 80],
  ],
  yes: [
    [725, 105],
    [725, 160],
  ],
  veto: [
    [750, 80],
    [840, 80],
    [840, 300],
    [872, 300],
  ],
  done: [
    [810, 200],
    [872, 200],
  ],
}

/**
 * How a claim is decided: an approver of the claimant's choice; from 5000 yuan on also several people, of whom each may refuse
 * it; what is agreed to is paid by finance.
 */
export const expenseModel = modelText({
  key: expenseKey,
  name: '报销流程',
  boxes,
  ways,
  elements: `    <startEvent id="claim" name="提交申请" flowable:initiator="initiator" flowable:formKey="expense" />
    <userTask id="approve" name="审批" flowable:assignee="\${approver}" />
    <exclusiveGateway id="decided" name="审批结果" default="small" />
    <userTask id="sign" name="会签" flowable:assignee="\${member}">
      <multiInstanceLoopCharacteristics isSequential="false" flowable:collection="\${signers}" flowable:elementVariable="member">
        <completionCondition xsi:type="tFormalExpression"><![CDATA[\${nrOfRejected > 0}]]></completionCondition>
      </multiInstanceLoopCharacteristics>
    </userTask>
    <exclusiveGateway id="signed" name="会签结果" default="veto" />
    <userTask id="pay" name="付款" flowable:candidateGroups="finance,admin" />
    <endEvent id="paid" name="已付款" />
    <endEvent id="refused" name="已驳回" />
    <sequenceFlow id="claimed" sourceRef="claim" targetRef="approve" />
    <sequenceFlow id="judged" sourceRef="approve" targetRef="decided" />
    <sequenceFlow id="no" name="驳回" sourceRef="decided" targetRef="refused">
      <conditionExpression xsi:type="tFormalExpression"><![CDATA[\${!pass}]]></conditionExpression>
    </sequenceFlow>
    <sequenceFlow id="large" name="5000元以上" sourceRef="decided" targetRef="sign">
      <conditionExpression xsi:type="tFormalExpression"><![CDATA[\${amount >= 5000}]]></conditionExpression>
    </sequenceFlow>
    <sequenceFlow id="small" name="5000元以下" sourceRef="decided" targetRef="pay" />
    <sequenceFlow id="counted" sourceRef="sign" targetRef="signed" />
    <sequenceFlow id="yes" name="同意" sourceRef="signed" targetRef="pay">
      <conditionExpression xsi:type="tFormalExpression"><![CDATA[\${pass}]]></conditionExpression>
    </sequenceFlow>
    <sequenceFlow id="veto" name="驳回" sourceRef="signed" targetRef="refused" />
    <sequenceFlow id="done" sourceRef="pay" targetRef="paid" />`,
})
