/** Address of BPMN 2.0 itself. */
export const modelSpace = 'http://www.omg.org/spec/BPMN/20100524/MODEL'

/** Addresses of what engines add to BPMN; the same words mean the same in all of them. */
const engineSpaces = new Set([
  'http://flowable.org/bpmn',
  'http://activiti.org/bpmn',
  'http://camunda.org/schema/1.0/bpmn',
])

/** Addresses of what editors add for themselves, and of drawings. */
const editorSpaces = new Set([
  'http://flowable.org/modeler',
  'http://flowable.org/design',
  'http://activiti.com/modeler',
  'http://camunda.org/schema/modeler/1.0',
  'http://bpmn.io/schema/bpmn/biocolor/1.0',
  'http://www.omg.org/spec/BPMN/non-normative/color/1.0',
  'http://www.omg.org/spec/BPMN/20100524/DI',
  'http://www.omg.org/spec/DD/20100524/DC',
  'http://www.omg.org/spec/DD/20100524/DI',
  'http://www.w3.org/2001/XMLSchema-instance',
  'http://www.w3.org/XML/1998/namespace',
])

type Space = string | null | undefined

/** Whether something is of BPMN itself. */
export const isModel = (space: Space): boolean => space === modelSpace
/** Whether something is what an engine adds. */
export const isEngine = (space: Space): boolean => typeof space === 'string' && engineSpaces.has(space)
/** Whether something is what an editor keeps for itself. */
export const isEditor = (space: Space): boolean => typeof space === 'string' && editorSpaces.has(space)

/** What an element may have. */
interface Words {
  /** Attributes of BPMN, besides `id` and `name`. */
  readonly plain?: readonly string[]
  /** Attributes of engines. */
  readonly engine?: readonly string[]
  /** Elements of BPMN inside. */
  readonly inside?: readonly string[]
  /** Elements of engines inside of `extensionElements`, or inside of it where it is one itself. */
  readonly extensions?: readonly string[]
}

/** Notes, drawings of data, and what says only again where lines lead. */
const notes = ['documentation', 'extensionElements']
const node = [...notes, 'incoming', 'outgoing']
const listeners = ['executionListener']
const activity = [
  ...node,
  'multiInstanceLoopCharacteristics',
  'property',
  'dataInputAssociation',
  'dataOutputAssociation',
]
const activityPlain = ['default', 'isForCompensation', 'startQuantity', 'completionQuantity']
const service = [
  'type',
  'delegateExpression',
  'expression',
  'class',
  'resultVariable',
  'resultVariableName',
  'skipExpression',
]
const parallelSave = ['parallelInSameTransaction', 'triggerable', 'useLocalScopeForResultVariable']
const form = ['formProperty']

/** Steps and what else stands directly in a process. */
const steps = [
  'startEvent',
  'endEvent',
  'sequenceFlow',
  'userTask',
  'manualTask',
  'task',
  'serviceTask',
  'sendTask',
  'receiveTask',
  'exclusiveGateway',
  'parallelGateway',
  'inclusiveGateway',
  'boundaryEvent',
  'intermediateCatchEvent',
  'intermediateThrowEvent',
  'subProcess',
  'callActivity',
]
const beside = [
  'laneSet',
  'dataObject',
  'dataObjectReference',
  'dataStoreReference',
  'textAnnotation',
  'association',
  'group',
  'property',
]
/** Elements of a drawing that only say something to a reader: what is inside of them counts for nothing. */
export const ignored = new Set([
  'laneSet',
  'dataObjectReference',
  'dataStoreReference',
  'textAnnotation',
  'association',
  'group',
  'incoming',
  'outgoing',
  'property',
  'dataInputAssociation',
  'dataOutputAssociation',
])

const timing = ['timeDuration', 'timeDate', 'timeCycle']
/** Kinds of events that are not carried out are read too, so that they are refused for what they are. */
const definitions = [
  'timerEventDefinition',
  'errorEventDefinition',
  'terminateEventDefinition',
  'messageEventDefinition',
  'signalEventDefinition',
  'escalationEventDefinition',
  'conditionalEventDefinition',
  'compensateEventDefinition',
  'cancelEventDefinition',
  'linkEventDefinition',
]
const gateway: Words = { plain: ['default', 'gatewayDirection'], inside: node, extensions: listeners }
const event = { inside: [...node, ...definitions], extensions: listeners }
const formula: Words = { plain: ['language', 'evaluatesToTypeRef'] }
const listener = ['event', 'delegateExpression', 'expression', 'class', 'type']
const resource: Words = { inside: ['resourceAssignmentExpression'] }

/** What stands in models and is carried out, by the names of elements. */
export const vocabulary: Readonly<Record<string, Words>> = {
  process: {
    plain: ['isExecutable', 'isClosed', 'processType'],
    engine: ['candidateStarterUsers', 'candidateStarterGroups', 'historyTimeToLive', 'versionTag'],
    inside: [...notes, ...steps, ...beside],
    extensions: listeners,
  },
  subProcess: {
    plain: [...activityPlain, 'triggeredByEvent'],
    inside: [...activity, ...steps, ...beside],
    extensions: listeners,
  },
  startEvent: {
    ...event,
    plain: ['isInterrupting', 'parallelMultiple'],
    engine: ['initiator', 'formKey'],
    extensions: [...listeners, ...form],
  },
  endEvent: event,
  boundaryEvent: { ...event, plain: ['attachedToRef', 'cancelActivity', 'parallelMultiple'] },
  intermediateCatchEvent: { ...event, plain: ['parallelMultiple'] },
  intermediateThrowEvent: event,
  sequenceFlow: {
    plain: ['sourceRef', 'targetRef', 'isImmediate'],
    engine: ['skipExpression'],
    inside: [...notes, 'conditionExpression'],
    extensions: listeners,
  },
  userTask: {
    plain: [...activityPlain, 'implementation'],
    engine: [
      'assignee',
      'candidateUsers',
      'candidateGroups',
      'owner',
      'dueDate',
      'priority',
      'formKey',
      'skipExpression',
    ],
    inside: [...activity, 'potentialOwner', 'humanPerformer'],
    extensions: [...listeners, 'taskListener', ...form],
  },
  manualTask: { plain: activityPlain, inside: activity, extensions: listeners },
  task: { plain: activityPlain, inside: activity, extensions: listeners },
  serviceTask: {
    plain: [...activityPlain, 'implementation', 'operationRef'],
    engine: [...service, ...parallelSave],
    inside: activity,
    extensions: [...listeners, 'field'],
  },
  sendTask: {
    plain: [...activityPlain, 'implementation', 'operationRef', 'messageRef'],
    engine: [...service, ...parallelSave],
    inside: activity,
    extensions: [...listeners, 'field'],
  },
  receiveTask: {
    plain: [...activityPlain, 'implementation', 'operationRef', 'messageRef', 'instantiate'],
    inside: activity,
    extensions: listeners,
  },
  callActivity: {
    plain: [...activityPlain, 'calledElement'],
    engine: [
      'businessKey',
      'inheritVariables',
      'inheritBusinessKey',
      'calledElementType',
      'calledElementBinding',
      'sameDeployment',
      'fallbackToDefaultTenant',
      'completeAsync',
      'useLocalScopeForOutParameters',
    ],
    inside: [...activity, 'ioSpecification'],
    extensions: [...listeners, 'in', 'out'],
  },
  exclusiveGateway: gateway,
  inclusiveGateway: gateway,
  parallelGateway: gateway,
  multiInstanceLoopCharacteristics: {
    plain: ['isSequential', 'behavior'],
    engine: ['collection', 'elementVariable', 'elementIndexVariable'],
    inside: [...notes, 'loopCardinality', 'completionCondition'],
    extensions: ['collection'],
  },
  loopCardinality: formula,
  completionCondition: formula,
  conditionExpression: formula,
  formalExpression: formula,
  timeDuration: formula,
  timeDate: formula,
  timeCycle: formula,
  documentation: { plain: ['textFormat'] },
  potentialOwner: resource,
  humanPerformer: resource,
  resourceAssignmentExpression: { inside: ['formalExpression'] },
  timerEventDefinition: { inside: [...notes, ...timing] },
  errorEventDefinition: { plain: ['errorRef'], inside: notes },
  terminateEventDefinition: { engine: ['terminateAll', 'terminateMultiInstance'], inside: notes },
  dataObject: { plain: ['itemSubjectRef', 'isCollection'], inside: notes, extensions: ['value'] },
  executionListener: { plain: [...listener], extensions: ['field'] },
  taskListener: { plain: [...listener], extensions: ['field'] },
  formProperty: {
    plain: ['type', 'required', 'readable', 'writable', 'default', 'datePattern', 'variable'],
    extensions: ['value'],
  },
  value: {},
  field: { plain: ['stringValue', 'expression'], extensions: ['string', 'expression'] },
  string: {},
  expression: {},
  in: { plain: ['source', 'sourceExpression', 'target', 'variables', 'businessKey'] },
  out: { plain: ['source', 'sourceExpression', 'target'] },
  collection: {},
}

/** Attributes of engines that change nothing here: when a step is begun, how its form is checked, how long history is kept. */
export const isWithoutEffect = (name: string): boolean =>
  name.startsWith('async') || ['formFieldValidation', 'exclusive', 'category'].includes(name)

/** Attributes that are carried out only as what they are where they do not stand. */
export const onlyAs: Readonly<Record<string, readonly string[]>> = {
  skipExpression: ['false'],
  isForCompensation: ['false'],
  startQuantity: ['1'],
  completionQuantity: ['1'],
  parallelMultiple: ['false'],
  instantiate: ['false'],
  behavior: ['All'],
  parallelInSameTransaction: ['false'],
  triggerable: ['false'],
  useLocalScopeForResultVariable: ['false'],
  inheritBusinessKey: ['false'],
  calledElementType: ['key'],
  calledElementBinding: ['latest'],
  sameDeployment: ['false'],
  fallbackToDefaultTenant: ['false'],
  completeAsync: ['false'],
  useLocalScopeForOutParameters: ['false'],
  terminateAll: ['false'],
  terminateMultiInstance: ['false'],
}

/** Elements that are not carried out, with what they are called. */
export const refusedElements: Readonly<Record<string, string>> = {
  scriptTask: '不支持脚本任务',
  businessRuleTask: '不支持规则任务',
  eventBasedGateway: '不支持事件网关',
  complexGateway: '不支持复杂网关',
  transaction: '不支持事务子流程',
  adHocSubProcess: '不支持临时子流程',
  standardLoopCharacteristics: '不支持标准循环',
  ioSpecification: '不支持数据映射，请用in/out',
}

/** What kinds of events are called. */
export const eventKinds: Readonly<Record<string, string>> = {
  timerEventDefinition: '定时器',
  errorEventDefinition: '错误',
  terminateEventDefinition: '终止',
  messageEventDefinition: '消息',
  signalEventDefinition: '信号',
  escalationEventDefinition: '升级',
  conditionalEventDefinition: '条件',
  compensateEventDefinition: '补偿',
  cancelEventDefinition: '取消',
  linkEventDefinition: '链接',
}
