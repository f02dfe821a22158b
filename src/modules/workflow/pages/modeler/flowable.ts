/** Namespace of the attributes by which models say who does a step, what is filled in and what runs. */
const flowableUri = 'http://flowable.org/bpmn'

const attributes = (...names: readonly string[]) => names.map(name => ({ name, isAttr: true, type: 'String' }))

/** Elements that may stand anywhere in `extensionElements`, so that they are copied along with what they stand at. */
const anywhere = { allowedIn: ['*'] }

/** What the drawing program must know to read and write those attributes and elements. */
export const flowable = {
  name: 'Flowable',
  uri: flowableUri,
  prefix: 'flowable',
  xml: { tagAlias: 'lowerCase' },
  associations: [],
  types: [
    {
      name: 'ProcessExtension',
      extends: ['bpmn:Process'],
      properties: attributes('candidateStarterUsers', 'candidateStarterGroups'),
    },
    { name: 'StartExtension', extends: ['bpmn:StartEvent'], properties: attributes('initiator', 'formKey') },
    {
      name: 'UserTaskExtension',
      extends: ['bpmn:UserTask'],
      properties: attributes(
        'assignee',
        'candidateUsers',
        'candidateGroups',
        'owner',
        'dueDate',
        'priority',
        'formKey',
      ),
    },
    {
      name: 'LoopExtension',
      extends: ['bpmn:MultiInstanceLoopCharacteristics'],
      properties: attributes('collection', 'elementVariable', 'elementIndexVariable'),
    },
    {
      name: 'ServiceExtension',
      extends: ['bpmn:ServiceTask', 'bpmn:SendTask'],
      properties: attributes('type', 'delegateExpression', 'expression', 'resultVariable'),
    },
    {
      name: 'CallExtension',
      extends: ['bpmn:CallActivity'],
      properties: attributes('businessKey', 'inheritVariables'),
    },
    {
      name: 'FormProperty',
      superClass: ['Element'],
      meta: anywhere,
      properties: [
        ...attributes('id', 'name', 'type', 'required', 'readable', 'writable', 'default'),
        { name: 'values', type: 'Value', isMany: true },
      ],
    },
    { name: 'Value', superClass: ['Element'], meta: anywhere, properties: attributes('id', 'name') },
    {
      name: 'Field',
      superClass: ['Element'],
      meta: anywhere,
      properties: [
        ...attributes('name', 'stringValue'),
        { name: 'string', type: 'String' },
        { name: 'expression', type: 'String' },
      ],
    },
    {
      name: 'In',
      superClass: ['Element'],
      meta: anywhere,
      properties: attributes('source', 'sourceExpression', 'target', 'businessKey'),
    },
    {
      name: 'Out',
      superClass: ['Element'],
      meta: anywhere,
      properties: attributes('source', 'sourceExpression', 'target'),
    },
  ],
} as const

/** Programs that write the same under addresses of their own. */
const likewise = ['http://activiti.org/bpmn', 'http://camunda.org/schema/1.0/bpmn']

/** A model with those attributes under one address, whichever program has written it. */
export const inOneNamespace = (xml: string): string =>
  likewise.reduce((text, uri) => text.replaceAll(`"${uri}"`, `"${flowableUri}"`), xml)
