import { describe, expect, test } from 'vitest'
import { bpmn, lines, task } from '../../../../tests/helper/flow-bench.ts'
import { inEnglish } from '../../../platform/i18n/english.ts'
import type { FlowNode, Graph } from './flow-graph.ts'
import { type Known, readModel } from './read-model.ts'
import { upgradeGraph } from './upgrade-graph.ts'

const known: Known = {
  actions: [
    { name: 'notice', fields: [{ name: 'template', required: true }, { name: 'to' }] },
    { name: 'refundApprove', fields: [] },
    { name: 'setVariable', fields: [{ name: 'name', required: true }, { name: 'value' }], resultIn: 'name' },
    { name: 'http', fields: [] },
  ],
  hosts: ['oa.example.com', '127.0.0.1:8080'],
  forms: ['leave', 'expense'],
}

const read = (xml: string): Graph => readModel(xml, known).graph

const others =
  'xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:activiti="http://activiti.org/bpmn" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:modeler="http://flowable.org/modeler" xmlns:bioc="http://bpmn.io/schema/bpmn/biocolor/1.0"'

/** A model between whose beginning and end something stands; its first line is 3. */
const whole = (inside: string): string =>
  bpmn('p', `<startEvent id="s"/>${inside}<endEvent id="e"/>`).replace('targetNamespace', `${others} targetNamespace`)

/** A model with one step `t`, by its element and what is inside of it. */
const step = (kind: string, attributes = '', inside = ''): string =>
  whole(`${lines('s>t', 't>e')}\n<${kind} id="t" ${attributes}>${inside}</${kind}>`)

const boss = task('t', { assignee: '#{boss}' })
const user = (attributes = '', inside = ''): string => step('userTask', `flowable:assignee="3" ${attributes}`, inside)
const extended = (inside: string): string => `<extensionElements>${inside}</extensionElements>`

/** A step of a model. */
function node<T extends FlowNode['type']>(xml: string, type: T, id = 't'): FlowNode & { type: T } {
  const found = read(xml).nodes[id]
  if (found?.type !== type) throw new Error(`${id} is ${found?.type}`)
  return found as FlowNode & { type: T }
}

/** With what words a model is refused. */
function refusalOf(xml: string): string {
  try {
    readModel(xml, known)
  } catch (error) {
    return (error as Error).message
  }
  return 'nothing'
}

const error = (code: string) => `<errorEventDefinition errorRef="${code}"/>`
const timer = (inside: string) => `<timerEventDefinition>${inside}</timerEventDefinition>`
const boundary = (inside: string, attributes = '') =>
  `<boundaryEvent id="b" attachedToRef="t" ${attributes}>${inside}</boundaryEvent>`
const withBoundary = (inside: string, attributes = '') =>
  whole(`${boss}${lines('s>t', 't>e', 'b>e')}\n${boundary(inside, attributes)}`)
const field = (name: string, value: string) => `<flowable:field name="${name}" stringValue="${value}"/>`
const loop = (inside: string, attributes = '') =>
  `<multiInstanceLoopCharacteristics ${attributes}>${inside}</multiInstanceLoopCharacteristics>`
const inSub = (inside: string) => `<startEvent id="s2"/>${inside}<endEvent id="e2"/>`
const sub = (inside: string, attributes = '', around = '') =>
  whole(`${lines('s>t', 't>e')}\n<subProcess id="t" ${attributes}>${inside}</subProcess>${around}`)

describe('what cannot be carried out is refused in words that name it', () => {
  const refused: Readonly<Record<string, readonly (readonly [xml: string, words: string])[]>> = {
    elements: [
      [step('scriptTask'), '第5行：不支持脚本任务（t）'],
      [step('businessRuleTask'), '第5行：不支持规则任务（t）'],
      [step('eventBasedGateway'), '第5行：不支持事件网关（t）'],
      [step('complexGateway'), '第5行：不支持复杂网关（t）'],
      [step('transaction'), '第5行：不支持事务子流程（t）'],
      [step('adHocSubProcess'), '第5行：不支持临时子流程（t）'],
      [step('choreographyTask'), '第5行：不支持元素choreographyTask t'],
      [step('implicitThrowEvent'), '第5行：不支持元素implicitThrowEvent t'],
      [sub(inSub(lines('s2>e2')), 'triggeredByEvent="true"'), '第5行：不支持事件子流程（t）'],
      [user('', '<standardLoopCharacteristics/>'), '第5行：不支持标准循环（standardLoopCharacteristics）'],
      [user('', '<ioSpecification/>'), '第5行：不支持数据映射，请用in/out（ioSpecification）'],
      [step('callActivity', 'calledElement="x"', '<ioSpecification/>'), '不支持数据映射，请用in/out'],
      [user('', extended('<flowable:connector/>')), '第5行：不支持元素connector'],
      [user('', extended('<camunda:inputOutput/>')), '第5行：不支持元素inputOutput'],
      [user('', extended('<camunda:formData/>')), '第5行：不支持元素formData'],
      [user('', extended('<zeebe:taskDefinition type="x"/>')), '第5行：不支持元素taskDefinition'],
      [user('', extended('<userTask id="x"/>')), '第5行：不支持元素userTask x'],
      [user('', '<flowable:formProperty id="x"/>'), '第5行：不支持元素formProperty x'],
      [user('', '<task id="x"/>'), '第5行：不支持元素task x'],
      [
        whole(
          `${boss}${lines('s>t', 't>e')}<dataObject id="d" name="x">${extended('<flowable:value>1</flowable:value>')}</dataObject>`,
        ),
        '不支持数据对象的初始值（d）',
      ],
    ],
    attributes: [
      [user('flowable:skipExpression="${true}"'), '第5行：不支持skipExpression（t）'],
      [user('flowable:businessCalendarName="x"'), '第5行：不支持属性flowable:businessCalendarName（t）'],
      [user('camunda:followUpDate="x"'), '第5行：不支持属性camunda:followUpDate（t）'],
      [user('zeebe:x="1"'), '第5行：不支持属性zeebe:x（t）'],
      [user('whatever="1"'), '第5行：不支持属性whatever（t）'],
      [user('isForCompensation="true"'), '第5行：不支持isForCompensation（t）'],
      [user('startQuantity="2"'), '第5行：不支持startQuantity（t）'],
      [user('x:assignee="1"'), '第5行：无法解析（t）'],
      [user('', extended('<x:y/>')), '第5行：无法解析（x）'.replace('x', 'y')],
      [step('receiveTask', 'instantiate="true"'), '不支持instantiate'],
      [
        whole(
          `${boss}\n<sequenceFlow id="f" sourceRef="s" targetRef="t" flowable:skipExpression="\${x}"/>${lines('t>e')}`,
        ),
        '第4行：不支持skipExpression（f）',
      ],
      [step('callActivity', 'calledElement="x" flowable:sameDeployment="true"'), '不支持sameDeployment'],
      [step('callActivity', 'calledElement="x" camunda:calledElementBinding="version"'), '不支持calledElementBinding'],
      [step('serviceTask', 'flowable:expression="${refundApprove}" flowable:triggerable="true"'), '不支持triggerable'],
      [
        whole(
          `${boss}${lines('s>t', 't>x')}<endEvent id="x"><terminateEventDefinition flowable:terminateAll="true"/></endEvent>`,
        ),
        '不支持terminateAll',
      ],
    ],
    'start events': ['message', 'timer', 'signal', 'error', 'escalation', 'conditional', 'compensate'].map(
      (kind, at) => [
        bpmn(
          'p',
          `\n<startEvent id="s"><${kind}EventDefinition/></startEvent>${boss}<endEvent id="e"/>${lines('s>t', 't>e')}`,
        ),
        kind === 'timer' || kind === 'error'
          ? `第4行：不支持${['消息', '定时器', '信号', '错误'][at]}开始事件（s）`
          : kind === 'message' || kind === 'signal'
            ? `第4行：不支持${['消息', '定时器', '信号', '错误'][at]}开始事件（s）`
            : `第4行：不支持${{ escalation: '升级', conditional: '条件', compensate: '补偿' }[kind]}开始事件（s）`,
      ],
    ),
    'end events': [
      ['message', '消息'],
      ['signal', '信号'],
      ['compensate', '补偿'],
      ['cancel', '取消'],
      ['escalation', '升级'],
      ['timer', '定时器'],
    ].map(([kind, words]) => [
      whole(`${boss}${lines('s>t', 't>x')}\n<endEvent id="x"><${kind}EventDefinition/></endEvent>`),
      `不支持${words}结束事件（x）`,
    ]),
    'boundary events': [
      ...[
        ['message', '消息'],
        ['signal', '信号'],
        ['escalation', '升级'],
        ['conditional', '条件'],
        ['compensate', '补偿'],
        ['cancel', '取消'],
      ].map(([kind, words]) => [withBoundary(`<${kind}EventDefinition/>`), `不支持${words}边界事件（b）`] as const),
      [withBoundary(''), '缺少事件定义（b）'],
      [withBoundary(`${timer('<timeDuration>PT1H</timeDuration>')}${error('x')}`), '一个事件只能有一个定义（b）'],
      [
        whole(
          `${boss}${lines('s>t', 't>e', 'b>e')}<boundaryEvent id="b" attachedToRef="s">${error('')}</boundaryEvent>`,
        ),
        '边界事件应附在任务或子流程上（b）',
      ],
      [
        whole(
          `${boss}${lines('s>t', 't>e', 'b>e')}<boundaryEvent id="b" attachedToRef="x">${error('')}</boundaryEvent>`,
        ),
        '引用的元素不存在：x（b）',
      ],
      [whole(`${boss}${lines('s>t', 't>e')}${boundary(error(''))}`), '缺少出口（b）'],
    ],
    'intermediate events': [
      ...[
        ['message', '消息'],
        ['signal', '信号'],
        ['link', '链接'],
        ['conditional', '条件'],
      ].flatMap(([kind, words]) =>
        ['Catch', 'Throw'].map(
          way =>
            [step(`intermediate${way}Event`, '', `<${kind}EventDefinition/>`), `不支持${words}中间事件（t）`] as const,
        ),
      ),
      [step('intermediateCatchEvent'), '缺少事件定义（t）'],
      [step('intermediateCatchEvent', '', timer('<timeCycle>R3/PT1H</timeCycle>')), '中间事件的定时不能重复（t）'],
    ],
    timers: [
      [withBoundary(timer('')), '缺少定时时间'],
      [withBoundary(timer('<timeDuration> </timeDuration>')), '缺少定时时间'],
      [withBoundary(timer('<timeDuration>PT1H</timeDuration><timeDate>2030-01-01</timeDate>')), '只能有一个定时时间'],
      [withBoundary(timer('<timeDuration>1 hour</timeDuration>')), '时间不正确：1 hour'],
      [withBoundary(timer('<timeDuration>PT5S</timeDuration>')), '定时不能短于10秒'],
      [withBoundary(timer('<timeCycle>0 0/5 * * * ?</timeCycle>')), '时间不正确'],
      [withBoundary(timer('<timeCycle>R/PT1H</timeCycle>')), '定时最多重复100次'],
      [withBoundary(timer('<timeCycle>R101/PT1H</timeCycle>')), '定时最多重复100次'],
      [withBoundary(timer('<timeDate>tomorrow</timeDate>')), '时间不正确'],
      [withBoundary(timer('<timeDuration>${now()}</timeDuration>')), '表达式中的now()不支持'],
      [withBoundary(timer('<timeDuration flowable:calendar="x">PT1H</timeDuration>')), '不支持属性flowable:calendar'],
      [user('flowable:dueDate="soon"'), '时间不正确：soon（t）'],
    ],
    people: [
      [step('userTask'), '第5行：缺少办理人（t）'],
      [step('userTask', 'flowable:owner="3"'), '缺少办理人（t）'],
      [step('userTask', 'flowable:assignee=" "'), '缺少办理人（t）'],
      [step('userTask', 'flowable:assignee="${bean.find()}"'), '表达式中的find()不支持（t）'],
      [step('userTask', 'flowable:assignee="user_${x}"'), '办理人不正确：user_${x}（t）'],
      [step('userTask', 'flowable:assignee="a, b"'), '办理人不正确：a, b（t）'],
      [step('userTask', 'flowable:assignee="${leader(f())}"'), '表达式中的f()不支持（t）'],
      [step('userTask', 'flowable:assignee="${leader()}"'), '表达式中的leader()不支持（t）'],
      [step('userTask', 'flowable:candidateUsers="3,${x"'), '办理人不正确：${x（t）'],
      [step('userTask', 'flowable:candidateGroups="team:a"'), '候选组不正确：team:a（t）'],
      [step('userTask', 'flowable:candidateGroups="dept:x"'), '候选组不正确：dept:x（t）'],
      [step('userTask', 'flowable:candidateGroups="${a b}"'), '表达式不正确（t）'],
      [user('flowable:priority="high"'), '优先级应为整数（t）'],
      [
        whole(`${boss}${lines('s>t', 't>e')}`).replace(
          '<process id="p"',
          '<process id="p" flowable:candidateStarterUsers="${x}"',
        ),
        '可发起人不能含变量（p）',
      ],
      [
        step(
          'userTask',
          '',
          '<humanPerformer><resourceAssignmentExpression><formalExpression>user(a), user(b)</formalExpression></resourceAssignmentExpression></humanPerformer>',
        ),
        '办理人只能是一个人（t）',
      ],
    ],
    forms: [
      [user('flowable:formKey="order"'), '没有名为order的表单（t）'],
      [user('flowable:formKey="${form}"'), '没有名为${form}的表单（t）'],
      [user('', extended('<flowable:formProperty id="a b"/>')), '字段编号不正确：a b'],
      [user('', extended('<flowable:formProperty id="a"/><flowable:formProperty id="a"/>')), '字段a重复（t）'],
      [user('', extended('<flowable:formProperty id="a" type="file"/>')), '不支持字段类型file（a）'],
      [user('', extended('<flowable:formProperty id="a" type="enum"/>')), '枚举字段缺少选项（a）'],
      [
        user(
          '',
          extended(
            '<flowable:formProperty id="a" type="enum"><flowable:value id="1"/><flowable:value id="1"/></flowable:formProperty>',
          ),
        ),
        '选项编号为空或重复（a）',
      ],
      [user('', extended('<flowable:formProperty id="a" type="long" default="x"/>')), '默认值不正确：x（a）'],
      [user('', extended('<flowable:formProperty id="a" default="${x}"/>')), '默认值不正确：${x}（a）'],
      [user('', extended('<flowable:formProperty id="a" required="yes"/>')), 'required应为true或false（a）'],
      [user('', extended('<flowable:formProperty id="a" expression="${x}"/>')), '不支持属性expression（a）'],
      [user('', extended('<flowable:formProperty id="a" variable="b"/>')), '不支持属性variable（a）'],
      [
        user('', extended('<flowable:formProperty id="a" type="date" datePattern="dd.MM"/>')),
        '不支持日期格式dd.MM（a）',
      ],
    ],
    actions: [
      [step('serviceTask'), '第5行：缺少实现（t）'],
      [step('sendTask'), '第5行：缺少实现（t）'],
      [step('serviceTask', 'flowable:class="com.x.Y"'), '第5行：不能执行Java类com.x.Y（t）'],
      [step('serviceTask', 'camunda:class="com.x.Y"'), '不能执行Java类com.x.Y（t）'],
      ...['mail', 'shell', 'camel', 'mule', 'dmn', 'case', 'external'].map(
        type => [step('serviceTask', `flowable:type="${type}"`), `第5行：不支持${type}任务（t）`] as const,
      ),
      [step('serviceTask', 'flowable:delegateExpression="${leaveService}"'), '没有名为leaveService的动作（t）'],
      [step('serviceTask', 'flowable:expression="${leaveService.run(execution)}"'), '没有名为leaveService的动作（t）'],
      [step('serviceTask', 'flowable:expression="${leaveService.notify(execution)}"'), '表达式中的notify()不支持（t）'],
      [step('serviceTask', 'flowable:expression="${a.b}"'), '没有名为${a.b}的动作（t）'],
      [step('serviceTask', 'flowable:expression="run"'), '表达式不正确（t）'],
      [step('serviceTask', 'flowable:delegateExpression="${http}"'), '没有名为http的动作（t）'],
      [step('serviceTask', 'flowable:delegateExpression="${notice}"'), '动作notice缺少参数template（t）'],
      [
        step(
          'serviceTask',
          'flowable:delegateExpression="${notice}"',
          extended(field('template', 'x') + field('color', 'y')),
        ),
        '动作notice没有参数color（t）',
      ],
      [
        step(
          'serviceTask',
          'flowable:delegateExpression="${notice}"',
          extended(field('template', 'x') + field('template', 'y')),
        ),
        '参数template重复',
      ],
      [
        step('serviceTask', 'flowable:delegateExpression="${notice}"', extended(field('template', '${'))),
        '表达式不正确',
      ],
      [
        step('serviceTask', 'flowable:expression="${refundApprove}" flowable:resultVariable="a b"'),
        '变量名不正确：a b（t）',
      ],
    ],
    variables: [
      [
        step('serviceTask', 'flowable:expression="${setVariable}"', extended(field('name', 'a b'))),
        '变量名不正确：a b（t）',
      ],
      [
        step('serviceTask', 'flowable:expression="${setVariable}"', extended(field('name', 'initiator'))),
        '变量名不正确：initiator（t）',
      ],
      [
        step('serviceTask', 'flowable:expression="${setVariable}"', extended(field('name', '${x}'))),
        '变量名不正确：（t）',
      ],
    ],
    listeners: [
      [user('', extended('<flowable:taskListener event="create" class="com.x.Y"/>')), '不能执行Java类com.x.Y'],
      [user('', extended('<flowable:executionListener event="start" type="script"/>')), '不支持script监听器'],
      [
        user(
          '',
          extended(
            '<camunda:executionListener event="start"><camunda:script>1</camunda:script></camunda:executionListener>',
          ),
        ),
        '不支持脚本（camunda:script）'.replace('camunda:', ''),
      ],
      [
        user('', extended('<flowable:taskListener event="timeout" delegateExpression="${refundApprove}"/>')),
        '不支持监听事件timeout',
      ],
      [user('', extended('<flowable:taskListener delegateExpression="${refundApprove}"/>')), '监听器缺少事件'],
      [user('', extended('<flowable:taskListener event="create" delegateExpression="${x}"/>')), '没有名为x的动作'],
      [
        user(
          '',
          extended(
            '<flowable:executionListener event="start" delegateExpression="${refundApprove}" onTransaction="committed"/>',
          ),
        ),
        '不支持属性onTransaction',
      ],
      [step('manualTask', '', extended('<flowable:taskListener event="create"/>')), '不支持元素taskListener'],
    ],
    'HTTP tasks': [
      [step('serviceTask', 'flowable:type="http"'), '缺少requestUrl（t）'],
      ...(
        [
          ['requestUrl', 'ftp://oa.example.com/', '地址不正确：ftp://oa.example.com/'],
          ['requestUrl', 'https://me:secret@oa.example.com/', '地址不正确'],
          ['requestUrl', '/relative', '地址不正确'],
          ['requestUrl', 'https://elsewhere.example.com/', '不允许访问elsewhere.example.com'],
          ['requestUrl', 'https://elsewhere.example.com/${id}', '不允许访问elsewhere.example.com'],
          ['requestUrl', 'http://127.0.0.1/', '不允许访问127.0.0.1'],
          ['requestUrl', 'http://169.254.169.254/latest', '不允许访问169.254.169.254'],
          ['requestUrl', 'http://0x7f000001:8081/', '不允许访问127.0.0.1:8081'],
        ] as const
      ).map(
        ([name, value, words]) =>
          [step('serviceTask', 'flowable:type="http"', extended(field(name, value))), words] as const,
      ),
      ...(
        [
          ['requestMethod', 'TRACE', 'requestMethod不正确：TRACE'],
          ['requestTimeout', '60001', 'requestTimeout不正确：60001'],
          ['requestTimeout', '0', 'requestTimeout不正确：0'],
          ['failStatusCodes', '4', 'failStatusCodes不正确：4'],
          ['handleStatusCodes', '600', 'handleStatusCodes不正确：600'],
          ['ignoreException', 'maybe', 'ignoreException不正确：maybe'],
          ['responseVariableName', 'a b', 'responseVariableName不正确：a b'],
          ['saveRequestVariables', 'true', '不支持saveRequestVariables'],
          ['responseVariableName', '${x}', 'responseVariableName不能含变量'],
          ['requestBodyEncoding', 'GBK', '不支持requestBodyEncoding'],
          ['whatever', 'x', '不支持whatever'],
        ] as const
      ).map(
        ([name, value, words]) =>
          [
            step(
              'serviceTask',
              'flowable:type="http"',
              extended(field('requestUrl', 'https://oa.example.com/') + field(name, value)),
            ),
            words,
          ] as const,
      ),
      [
        step(
          'serviceTask',
          'flowable:type="http" flowable:resultVariable="x"',
          extended(field('requestUrl', 'https://oa.example.com/')),
        ),
        '不支持属性resultVariable',
      ],
    ],
    repetitions: [
      [user('', loop('')), '会签缺少集合或次数（t）'],
      [user('', loop('', 'flowable:collection="a.b"')), '变量名不正确：a.b（t）'],
      [user('', loop('', 'flowable:collection="${f()}"')), '表达式中的f()不支持（t）'],
      [user('', loop('', 'flowable:collection="a" flowable:elementVariable="a b"')), '变量名不正确：a b（t）'],
      [user('', loop('<loopCardinality>many</loopCardinality>')), '会签次数不正确：many（t）'],
      [
        user('', loop('<loopCardinality>3</loopCardinality><completionCondition>${x =}</completionCondition>')),
        '表达式不正确（t）',
      ],
      [user('', loop(extended('<flowable:collection flowable:class="x"/>'))), '不支持属性flowable:class'],
      [user('', loop(extended('<flowable:collection/>'))), '不支持自定义集合（t）'],
      [user('', loop('', 'flowable:collection="a" behavior="None"')), '不支持behavior'],
      [step('manualTask', '', loop('<loopCardinality>3</loopCardinality>')), '不支持会签（t）'],
      [step('receiveTask', '', loop('<loopCardinality>3</loopCardinality>')), '不支持会签（t）'],
    ],
    'called processes': [
      [step('callActivity'), '缺少被调用的流程（t）'],
      [step('callActivity', 'calledElement="a b"'), '流程标识不正确：a b（t）'],
      [step('callActivity', 'calledElement="${f()}"'), '表达式中的f()不支持（t）'],
      [step('callActivity', 'calledElement="x"', extended('<flowable:in source="a"/>')), '变量名不正确'],
      [
        step('callActivity', 'calledElement="x"', extended('<flowable:in source="a.b" target="c"/>')),
        '变量名不正确：a.b',
      ],
      [step('callActivity', 'calledElement="x"', extended('<camunda:out variables="all"/>')), '不支持属性variables'],
      [step('callActivity', 'calledElement="x" flowable:calledElementType="id"'), '不支持calledElementType'],
      [
        step('callActivity', 'calledElement="x" flowable:processInstanceName="y"'),
        '不支持属性flowable:processInstanceName',
      ],
      [
        step('callActivity', 'calledElement="x" flowable:businessKey="${execution.processBusinessKey}"'),
        '表达式不正确（t）',
      ],
    ],
    conditions: [
      [
        whole(
          `${boss}\n<sequenceFlow id="f" sourceRef="t" targetRef="e"><conditionExpression language="javascript">x</conditionExpression></sequenceFlow>${lines('s>t')}`,
        ),
        '第4行：不支持条件语言javascript（conditionExpression）',
      ],
      [
        whole(boss + lines('s>t', 't>e')).replace(
          '<definitions',
          '<definitions expressionLanguage="http://www.omg.org/spec/FEEL"',
        ),
        '不支持条件语言http://www.omg.org/spec/FEEL（definitions）',
      ],
      [whole(boss + lines('s>t a', 't>e')), '这里的分支不能有条件（s-t）'],
      [whole(`${boss}<parallelGateway id="g"/>${lines('s>t', 't>g', 'g>e a')}`), '这里的分支不能有条件（g-e）'],
      [whole(boss + lines('s>t', 't>e f.g()')), '表达式中的g()不支持（t-e）'],
      [whole(boss + lines('s>t', 't>e a =')), '表达式不正确（t-e）'],
      [
        whole(`${boss}<exclusiveGateway id="g"/>${lines('s>t', 't>g', 'g>e', 'g>t')}`),
        '第3行：网关的分支缺少条件（g）',
      ],
    ],
    'the shape': [
      [bpmn('p', `${boss}<endEvent id="e"/>${lines('t>e')}`), '第2行：应有且只有一个开始事件（p）'],
      [whole(`<startEvent id="s9"/>${boss}${lines('s>t', 't>e', 's9>t')}`), '应有且只有一个开始事件（s9）'],
      [bpmn('p', ''), '应有且只有一个开始事件（p）'],
      [whole(boss + lines('s>t')), '第3行：缺少出口（t）'],
      [whole(boss + lines('s>e', 't>e')), '从开始事件不能到达（t）'],
      [whole(boss + lines('s>t', 't>e', 'e>t')), '结束事件不能有出口（e）'],
      [whole(boss + lines('s>t', 't>e', 't>s')), '开始事件不能有入口（s）'],
      [bpmn('p', `<startEvent id="s"/>${boss}${lines('s>t', 't>t')}`), '没有可到达的结束事件（p）'],
      [whole(boss + lines('s>t', 't>x')), '引用的元素不存在：x（t-x）'],
      [whole(`${boss}<sequenceFlow id="f" sourceRef="s"/>${lines('s>t', 't>e')}`), '引用的元素不存在：targetRef（f）'],
      [
        whole(`${boss}<exclusiveGateway id="g" default="zz"/>${lines('s>t', 't>g', 'g>e')}`),
        '引用的元素不存在：zz（g）',
      ],
      [whole(`${boss}${boss}${lines('s>t', 't>e')}`), '第3行：编号t重复'],
      [whole(`<userTask flowable:assignee="3"/>${lines('s>e')}`), '第3行：userTask缺少编号'],
      [whole(`<task id="1 2"/>${lines('s>e')}`), '编号不正确（1 2）'],
      [
        whole(
          `<exclusiveGateway id="g"/><exclusiveGateway id="h" default="h-g"/>${lines('s>g', 'g>h', 'h>e a', 'h>g')}`,
        ),
        '网关之间形成循环（g）',
      ],
      [
        whole(
          `<exclusiveGateway id="g"/><task id="m"/><exclusiveGateway id="h" default="h-g"/>${lines('s>g', 'g>m', 'm>h', 'h>e a', 'h>g')}`,
        ),
        '网关之间形成循环（g）',
      ],
      [whole(`<parallelGateway id="g"/>${lines('s>g', 'g>g', 'g>e')}`), '网关之间形成循环（g）'],
      [sub('<endEvent id="e2"/>'), '应有且只有一个开始事件（t）'],
      [
        sub(`<startEvent id="s2"/><userTask id="u" flowable:assignee="3"/>${lines('s2>u', 'u>u')}`),
        '没有可到达的结束事件（t）',
      ],
      [sub(inSub(lines('s2>e2', 's2>e'))), '连线不能跨越子流程（s2-e）'],
      [sub(inSub(lines('s2>e2')), '', lines('s>s2')), '连线不能跨越子流程（s-s2）'],
      [
        whole(boss + lines('s>t', 't>e')).replace(
          '</definitions>',
          '<process id="q"><startEvent id="s9"/></process></definitions>',
        ),
        '一个文件只能有一个可执行的流程',
      ],
    ],
    size: [
      [whole(Array.from({ length: 600 }, (_, at) => `<task id="n${at}"/>`).join('')), '流程节点不能超过500个'],
      [whole('<subProcess id="a">'.repeat(200) + '</subProcess>'.repeat(200)), 'XML格式不正确'],
      [whole(`<documentation>${'x'.repeat(1024 * 1024)}</documentation>`), '流程定义不能超过1MB'],
      [`<!DOCTYPE x>${whole(boss)}`, '不能包含DOCTYPE或实体声明'],
    ],
  }

  const rows = Object.entries(refused).flatMap(([about, cases]) =>
    cases.map(([xml, words]) => [`${about}: ${words}`, xml, words] as const),
  )
  test.each(rows)('%s', (_name, xml, words) => expect(refusalOf(xml)).toContain(words))

  test.each(rows)('in English: %s', (_name, xml) => {
    const said = inEnglish(refusalOf(xml))
    expect(said).not.toMatch(/\p{Script=Han}|（/u)
  })
})

describe('what is carried out', () => {
  test('who began, in every way editors write it', () => {
    const model = (who: string) =>
      step('userTask', `flowable:assignee="${who}"`).replace(
        '<startEvent id="s"',
        '<startEvent id="s" flowable:initiator="asker"',
      )
    for (const who of ['$INITIATOR', '${INITIATOR}', '${initiator}', '#{ initiator }', '${asker}'])
      expect(node(model(who), 'userTask').doers.assignee).toEqual({ initiator: true })
    expect(read(model('3')).initiatorVariables).toEqual(['asker'])
    expect(node(step('userTask', 'flowable:assignee="${asker}"'), 'userTask').doers.assignee).toEqual({
      value: { name: 'asker' },
    })
  })

  test.each([
    ['3', { user: '3' }],
    ['kaowu', { account: 'kaowu' }],
    ['li.lei-2@x', { account: 'li.lei-2@x' }],
    ['007', { account: '007' }],
    ['${boss}', { value: { name: 'boss' } }],
    ['#{order.boss}', { value: { of: { name: 'order' }, at: { value: 'boss' } } }],
    ["${execution.getVariable('boss')}", { value: { name: 'boss' } }],
    ['${leader(initiator)}', { leaderOf: { initiator: true } }],
    ['${leader( INITIATOR )}', { leaderOf: { initiator: true } }],
    ['${leader(boss)}', { leaderOf: { name: 'boss' } }],
  ])('assignee %s', (text, who) => {
    for (const prefix of ['flowable', 'camunda', 'activiti'])
      expect(node(step('userTask', `${prefix}:assignee="${text}"`), 'userTask').doers.assignee).toEqual(who)
  })

  test('candidates, owner, due date, priority and what is to be done', () => {
    const xml = step(
      'userTask',
      `name="审\n批" flowable:candidateUsers="3, kaowu,\${a.contains('x') ? b : c}" flowable:candidateGroups="hr,role:admin,dept:12,post:p-1,\${who}"
       flowable:owner="\${initiator}" flowable:dueDate="\${due}" flowable:priority="50" flowable:skipExpression="false"`,
      '<documentation> 看仔细 </documentation>',
    )
    const found = node(xml, 'userTask')
    expect(found).toMatchObject({
      name: '审 批',
      doers: {
        owner: { initiator: true },
        candidateGroups: [
          { role: 'hr' },
          { role: 'admin' },
          { dept: '12' },
          { post: 'p-1' },
          { value: { name: 'who' } },
        ],
      },
      due: [{ name: 'due' }],
      priority: { value: 50 },
      documentation: '看仔细',
    })
    expect(found.doers.candidateUsers).toMatchObject([
      { user: '3' },
      { account: 'kaowu' },
      { value: { then: { name: 'b' } } },
    ])
    expect(node(user('flowable:dueDate="P3D" flowable:priority="${p}"'), 'userTask')).toMatchObject({
      due: ['P3D'],
      priority: { name: 'p' },
    })
  })

  test('people in the words of BPMN itself', () => {
    const said = (kind: string, text: string) =>
      `<${kind}><resourceAssignmentExpression><formalExpression>${text}</formalExpression></resourceAssignmentExpression></${kind}>`
    expect(node(step('userTask', '', said('humanPerformer', 'kaowu')), 'userTask').doers.assignee).toEqual({
      account: 'kaowu',
    })
    expect(
      node(step('userTask', '', said('potentialOwner', 'user(3), group(hr), admin, user(${x})')), 'userTask').doers,
    ).toEqual({
      candidateUsers: [{ user: '3' }, { value: { name: 'x' } }],
      candidateGroups: [{ role: 'hr' }, { role: 'admin' }],
    })
  })

  test('who may begin', () => {
    const xml = whole(boss + lines('s>t', 't>e')).replace(
      '<process id="p"',
      '<process id="p" flowable:candidateStarterUsers="3,kaowu" camunda:candidateStarterGroups="hr,dept:7" camunda:historyTimeToLive="180"',
    )
    expect(read(xml).starters).toEqual({
      candidateUsers: [{ user: '3' }, { account: 'kaowu' }],
      candidateGroups: [{ role: 'hr' }, { dept: '7' }],
    })
  })

  test('forms', () => {
    const fields =
      '<flowable:formProperty id="amount" name="金额" type="double" required="true"/>' +
      '<flowable:formProperty id="kind" type="enum" default="a" writable="false"><flowable:value id="a" name="甲"/><flowable:value id="b"/></flowable:formProperty>'
    expect(
      node(user('flowable:formKey="expense" flowable:formFieldValidation="true"', extended(fields)), 'userTask').form,
    ).toEqual({
      key: 'expense',
      fields: [
        { id: 'amount', name: '金额', type: 'double', required: true, readable: true, writable: true },
        {
          id: 'kind',
          name: 'kind',
          type: 'enum',
          required: false,
          readable: true,
          writable: false,
          default: 'a',
          values: [
            { id: 'a', name: '甲' },
            { id: 'b', name: 'b' },
          ],
        },
      ],
    })
    expect(node(user('flowable:formKey="generic"'), 'userTask').form).toEqual({ key: 'generic', fields: [] })
    expect(node(user('flowable:formKey=""'), 'userTask').form).toBeUndefined()
    const start = `<startEvent id="s">${extended('<activiti:formProperty id="days" type="long"/>')}</startEvent>`
    const xml = bpmn('p', `${start}${boss}<endEvent id="e"/>${lines('s>t', 't>e')}`).replace(
      'targetNamespace',
      `${others} targetNamespace`,
    )
    expect(node(xml, 'startEvent', 's').form).toMatchObject({ key: null, fields: [{ id: 'days', type: 'long' }] })
  })

  test('actions by their names', () => {
    const fields = extended(
      field('template', 'leave_${kind}') +
        '<flowable:field name="to"><flowable:expression>${boss}</flowable:expression></flowable:field>',
    )
    for (const how of [
      'delegateExpression="${notice}"',
      'expression="${notice}"',
      'expression="#{notice.run(execution)}"',
    ])
      for (const kind of ['serviceTask', 'sendTask'] as const)
        expect(
          node(step(kind, `flowable:${how} flowable:async="true" flowable:resultVariableName="told"`, fields), kind)
            .action,
        ).toEqual({
          name: 'notice',
          fields: { template: ['leave_', { name: 'kind' }], to: [{ name: 'boss' }] },
          resultVariable: 'told',
        })
  })

  test('HTTP tasks', () => {
    const fields = [
      ['requestMethod', 'POST'],
      ['requestUrl', 'https://oa.example.com/leave/${id}'],
      ['requestBody', '{&quot;a&quot;: ${days}}'],
      ['requestTimeout', '3000'],
      ['failStatusCodes', '400, 5XX'],
      ['saveRequestVariables', 'false'],
      ['requestBodyEncoding', 'UTF-8'],
      ['responseVariableName', ''],
    ].map(([name, value]) => field(String(name), String(value)))
    const { action } = node(step('serviceTask', 'flowable:type="http"', extended(fields.join(''))), 'serviceTask')
    expect(action).toMatchObject({ name: 'http' })
    expect(action.fields).toMatchObject({
      requestUrl: ['https://oa.example.com/leave/', { name: 'id' }],
      requestBody: ['{"a": ', { name: 'days' }, '}'],
    })
    expect(Object.keys(action.fields)).not.toContain('responseVariableName')
    for (const url of [
      'https://oa.example.com:8443/x',
      'http://127.0.0.1:8080/',
      '${base}/x',
      'https://${host}/x',
      'https://oa.example.com?x=${y}',
    ])
      expect(refusalOf(step('serviceTask', 'flowable:type="http"', extended(field('requestUrl', url))))).toBe('nothing')
  })

  test('listeners, those that do nothing left out', () => {
    const taken = `<sequenceFlow id="s-t" sourceRef="s" targetRef="t">${extended('<flowable:executionListener delegateExpression="${refundApprove}"/>')}</sequenceFlow>`
    const inside =
      '<flowable:executionListener event="start"/><flowable:taskListener event="create" class=""/>' +
      '<camunda:executionListener event="end" expression="${refundApprove.run(execution)}"/>' +
      `<flowable:taskListener event="complete" delegateExpression="\${notice}">${field('template', 'x')}</flowable:taskListener>`
    const xml = whole(`<userTask id="t" flowable:assignee="3">${extended(inside)}</userTask>${taken}${lines('t>e')}`)
    expect(node(xml, 'userTask').listeners).toEqual([
      { event: 'end', action: { name: 'refundApprove', fields: {} } },
      { event: 'complete', action: { name: 'notice', fields: { template: ['x'] } } },
    ])
    expect(node(xml, 'startEvent', 's').out).toEqual([
      { id: 's-t', name: '', to: 't', listeners: [{ event: 'take', action: { name: 'refundApprove', fields: {} } }] },
    ])
  })

  test('会签', () => {
    const inside =
      '<loopCardinality>${n}</loopCardinality><completionCondition>${nrOfCompletedInstances/nrOfInstances >= 0.5}</completionCondition>'
    const attributes =
      'isSequential="true" flowable:collection="people" flowable:elementVariable="one" flowable:elementIndexVariable="at"'
    expect(node(user('', loop(inside.replace('>=', '&gt;='), attributes)), 'userTask').loop).toMatchObject({
      sequential: true,
      collection: { name: 'people' },
      cardinality: { name: 'n' },
      elementVariable: 'one',
      indexVariable: 'at',
      done: { sign: '>=', right: { value: 0.5 } },
    })
    expect(
      node(
        user('', loop('<completionCondition>nrOfPassed &gt; 1</completionCondition>', 'flowable:collection="${a.b}"')),
        'userTask',
      ).loop,
    ).toMatchObject({
      sequential: false,
      collection: { of: { name: 'a' } },
      done: { sign: '>' },
    })
    for (const [kind, attribute] of [
      ['callActivity', 'calledElement="x"'],
      ['serviceTask', 'flowable:expression="${refundApprove}"'],
      ['sendTask', 'flowable:expression="${refundApprove}"'],
    ] as const)
      expect(node(step(kind, attribute, loop('<loopCardinality>3</loopCardinality>')), kind).loop).toEqual({
        sequential: false,
        cardinality: { value: 3 },
      })
  })

  test('timers and errors at the border', () => {
    expect(node(withBoundary(timer('<timeDuration>PT1H</timeDuration>')), 'boundaryEvent', 'b')).toMatchObject({
      attachedTo: 't',
      interrupting: true,
      timer: { duration: ['PT1H'] },
    })
    const cycle = withBoundary(timer('<timeCycle>R3/${wait}</timeCycle>'), 'cancelActivity="false"')
    expect(node(cycle, 'boundaryEvent', 'b')).toMatchObject({
      interrupting: false,
      timer: { cycle: ['R3/', { name: 'wait' }] },
    })
    expect(node(cycle, 'userTask').boundary).toEqual(['b'])
    expect(node(withBoundary(timer('<timeDate>2030-01-01T08:00:00</timeDate>')), 'boundaryEvent', 'b')).toMatchObject({
      timer: { date: ['2030-01-01T08:00:00'] },
    })
    const declared = withBoundary(error('err')).replace('<process', '<error id="err" errorCode="E1"/><process')
    expect(node(declared, 'boundaryEvent', 'b')).toMatchObject({ errorCode: 'E1', interrupting: true })
    expect(node(withBoundary(error('E2')), 'boundaryEvent', 'b')).toMatchObject({ errorCode: 'E2' })
    expect(node(withBoundary('<errorEventDefinition/>'), 'boundaryEvent', 'b')).toMatchObject({ errorCode: '' })
    const ends = whole(
      `${boss}${lines('s>t', 't>x')}<endEvent id="x">${error('E3')}</endEvent><endEvent id="y"><terminateEventDefinition/></endEvent>${lines('t>y', 't>e')}`,
    )
    expect([node(ends, 'endEvent', 'x'), node(ends, 'endEvent', 'y'), node(ends, 'endEvent', 'e')]).toMatchObject([
      { how: 'error', errorCode: 'E3' },
      { how: 'terminate' },
      { how: 'none' },
    ])
    expect(
      node(step('intermediateCatchEvent', '', timer('<timeDuration>${wait}</timeDuration>')), 'intermediateCatchEvent')
        .timer,
    ).toEqual({ duration: [{ name: 'wait' }] })
  })

  test('sub-processes, called processes and steps that are passed', () => {
    const inside = inSub(`<userTask id="u" flowable:assignee="3"/>${lines('s2>u', 'u>e2')}`)
    expect(node(sub(inside), 'subProcess')).toMatchObject({ start: 's2', scope: null })
    expect(node(sub(inside), 'userTask', 'u')).toMatchObject({ scope: 't', out: [{ to: 'e2' }] })
    const handed = extended(
      '<flowable:in source="a" target="b"/><flowable:in sourceExpression="${a + 1}" target="c"/><flowable:out source="d" target="e"/>',
    )
    expect(
      node(
        step(
          'callActivity',
          'calledElement="${which}" flowable:businessKey="${id}" flowable:inheritVariables="true"',
          handed,
        ),
        'callActivity',
      ),
    ).toMatchObject({
      called: [{ name: 'which' }],
      inherit: true,
      businessKey: { name: 'id' },
      into: [
        { source: { name: 'a' }, target: 'b' },
        { source: { calc: '+' }, target: 'c' },
      ],
      outOf: [{ source: { name: 'd' }, target: 'e' }],
    })
    const camunda = extended('<camunda:in variables="all"/><camunda:in businessKey="${id}"/>')
    expect(
      node(step('callActivity', 'calledElement="x" camunda:calledElementBinding="latest"', camunda), 'callActivity'),
    ).toMatchObject({
      called: ['x'],
      inherit: true,
      businessKey: { name: 'id' },
      into: [],
    })
    for (const kind of [
      'task',
      'manualTask',
      'intermediateThrowEvent',
      'receiveTask',
      'parallelGateway',
      'exclusiveGateway',
    ] as const)
      expect(node(step(kind), kind).out).toEqual([{ id: 't-e', name: '', to: 'e' }])
    const received = step('receiveTask', 'messageRef="m"').replace('<process', '<message id="m" name="到货"/><process')
    expect(node(received, 'receiveTask').name).toBe('到货')
  })

  test('the default line stands last, without its condition', () => {
    const gate = `<exclusiveGateway id="t" default="t-u"/><userTask id="u" flowable:assignee="3"/>`
    expect(node(whole(`${gate}${lines('s>t', 't>u x', 't>e a', 'u>e')}`), 'exclusiveGateway')).toMatchObject({
      defaultLine: 't-u',
      out: [{ id: 't-e', when: { name: 'a' } }, { id: 't-u' }],
    })
  })

  test('from where an inclusive gateway can still be reached', () => {
    const tasks = ['a', 'b', 'c', 'd'].map(id => `<userTask id="${id}" flowable:assignee="3"/>`).join('')
    const way = lines('s>f', 'f>a x', 'f>b y', 'f>c z', 'a>j', 'b>j', 'c>e', 'j>d', 'd>e')
    const xml = whole(
      `<inclusiveGateway id="f"/>${tasks}<boundaryEvent id="h" attachedToRef="c">${error('')}</boundaryEvent><inclusiveGateway id="j"/>${way}${lines('h>j')}`,
    )
    expect(node(xml, 'inclusiveGateway', 'j').reachedFrom).toEqual(['s', 'f', 'a', 'b', 'c', 'h'])
    expect(node(xml, 'inclusiveGateway', 'f').reachedFrom).toEqual([])
  })

  test('lanes, notes, data without values, drawings and what editors keep for themselves', () => {
    const extra =
      '<laneSet id="l"><lane id="l1"><flowNodeRef>t</flowNodeRef></lane></laneSet><textAnnotation id="n"><text>x</text></textAnnotation><association id="as" sourceRef="n" targetRef="t"/><group id="gr"/>' +
      '<dataObject id="d"/><dataObjectReference id="dr" dataObjectRef="d"/><dataStoreReference id="ds"/>' +
      `<userTask id="t" flowable:assignee="3" bioc:stroke="#000" modeler:x="1" camunda:asyncBefore="true" flowable:exclusive="false" flowable:category="x">${extended('<modeler:initiator-can-complete><![CDATA[false]]></modeler:initiator-can-complete>')}<incoming>s-t</incoming><outgoing>t-e</outgoing><property id="pp"/><dataInputAssociation id="di"><sourceRef>dr</sourceRef><targetRef>pp</targetRef></dataInputAssociation></userTask>`
    expect(Object.keys(read(whole(`${extra}${lines('s>t', 't>e')}`)).nodes)).toEqual(['s', 't', 'e'])
  })

  test('one process of several pools', () => {
    const other = '<process id="q" isExecutable="false"/>'
    const pools =
      '<collaboration id="c"><participant id="x" processRef="p"/><participant id="y" processRef="q"/><messageFlow id="m" sourceRef="x" targetRef="y"/></collaboration>'
    const one = whole(boss + lines('s>t', 't>e')).replace('</definitions>', `${other}${pools}</definitions>`)
    expect(readModel(one, known).key).toBe('p')
    const drawn = whole(boss + lines('s>t', 't>e'))
      .replace('<process id="p"', '<process id="p" isExecutable="true"')
      .replace('</definitions>', '<process id="q" isExecutable="false"><startEvent id="s9"/></process></definitions>')
    expect(readModel(drawn, known)).toMatchObject({ key: 'p', name: '流程p' })
    expect(
      readModel(bpmn('q', `<startEvent id="s"/><endEvent id="e"/>${lines('s>e')}`).replace(' name="流程q"', ''), known)
        .name,
    ).toBe('q')
  })

  test('a graph keeps its meaning as JSON', () => {
    const graph = read(withBoundary(timer('<timeCycle>R3/PT1H</timeCycle>')))
    expect(JSON.parse(JSON.stringify(graph))).toEqual(graph)
    expect(upgradeGraph(JSON.parse(JSON.stringify(graph)))).toEqual(graph)
  })
})

test('a hostile model is refused at once', () => {
  const began = Date.now()
  const many = Array.from({ length: 15_000 }, (_, at) => `<task id="n${at}"/>`).join('')
  refusalOf(whole(many))
  refusalOf(whole('<a>'.repeat(5000)))
  refusalOf(whole(`<documentation>${'${'.repeat(400_000)}</documentation>`))
  const tasks = Array.from({ length: 490 }, (_, at) => `<inclusiveGateway id="n${at}"/>`).join('')
  const ways = Array.from({ length: 490 }, (_, at) =>
    lines(`n${at}>n${(at + 1) % 490}`, `n${at}>n${(at * 7) % 490}`),
  ).join('')
  refusalOf(whole(`${tasks}${ways}${lines('s>n0', 'n0>e')}`))
  expect(Date.now() - began).toBeLessThan(8000)
})

describe('a graph of the first form', () => {
  const first = {
    start: 's',
    nodes: {
      s: { id: 's', type: 'startEvent', name: '', out: [{ id: 'a', name: '', to: 't' }] },
      t: { id: 't', type: 'userTask', name: '审批', out: [{ id: 'b', name: '', to: 'g' }], doer: { variable: 'boss' } },
      g: {
        id: 'g',
        type: 'exclusiveGateway',
        name: '',
        out: [
          { id: 'c', name: '', to: 'u', when: { not: { name: 'pass' } } },
          { id: 'd', name: '', to: 'v' },
        ],
      },
      u: {
        id: 'u',
        type: 'userTask',
        name: '',
        out: [{ id: 'f', name: '', to: 'e' }],
        doer: { groups: ['hr', 'admin'] },
      },
      v: { id: 'v', type: 'userTask', name: '', out: [{ id: 'h', name: '', to: 'e' }], doer: { user: '3' } },
      e: { id: 'e', type: 'endEvent', name: '完', out: [] },
    },
  }

  test('is read as a part of the present one', () => {
    expect(upgradeGraph(first)).toMatchObject({
      format: 2,
      start: 's',
      nodes: {
        s: { type: 'startEvent', scope: null, boundary: [], listeners: [] },
        t: { doers: { assignee: { value: { name: 'boss' } }, candidateUsers: [], candidateGroups: [] } },
        g: { defaultLine: 'd', out: [{ when: { not: { name: 'pass' } } }, { id: 'd' }] },
        u: { doers: { candidateGroups: [{ role: 'hr' }, { role: 'admin' }] } },
        v: { doers: { assignee: { user: '3' } } },
        e: { how: 'none', name: '完' },
      },
    })
  })
})
