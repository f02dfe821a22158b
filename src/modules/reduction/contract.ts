import {
  type AnswerOf,
  count,
  dateTime,
  dict,
  endpoint,
  flag,
  group,
  id,
  integer,
  list,
  maybe,
  optional,
  pageOf,
  pick,
  rowOf,
  sometimes,
  text,
  truth,
  type Wire,
  words,
} from '#engine'
import { proposalShape } from '#resources/exams/outlook'
import { postreductionname } from '#resources/reduction/postreductionname'
import { reduceDecision, reduceState } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examitems } from '#schemas/exams/examitems'
import { Postreduction } from '#schemas/reduction/postreduction'
import { Postreductionname } from '#schemas/reduction/postreductionname'
import { Signup } from '#schemas/sign-up/signup'
import { positionShape } from '../exams/contract.ts'

/** One position of a plan: what the rule proposes, what it would by the other base, and what has been decided. */
const planLineShape = group({
  ...pick(Postreduction, 'unit', 'code', 'beforeNum', 'effectNum', 'ratio', 'decision', 'afterNum', 'basis', 'file').of,
  ...pick(Examitems, 'type', 'postName').of,
  proposal: proposalShape,
  otherwise: proposalShape,
  passNum: count('审核通过人数'),
  paidNum: count('已缴费人数'),
})

/** Somebody whose review is not finished. */
const pendingShape = group({ signupId: id('报名'), ...pick(Signup, 'signNo', 'name', 'examine').of })

/** The reduction of an exam. */
export const reductionPlan = endpoint('reduction.plan', 'GET /blade-signup/signup/getPostReduction', {
  title: '岗位核减：方案',
  access: ['reduction_post'],
  query: { examId: id('考试') },
  answer: group({
    exam: group({
      examId: id('考试'),
      ...pick(Examination, 'examName', 'examStatus', 'reduceBase', 'allowAdjust', 'reduceStartTime', 'reduceEndTime')
        .of,
      ...pick(Examination, 'signEndTime', 'payEndTime').of,
    }),
    computed: truth('是否已计算'),
    confirmTime: Postreduction.properties.confirmTime,
    decidedByMe: truth('是否由本人处理'),
    block: text('现在不能核减的原因'),
    pending: group({
      num: count('未审核完成人数'),
      list: list(pendingShape),
    }),
    positions: list(planLineShape),
    affected: count('须改报人数'),
    names: list(group({ nameState: dict('名单状态', reduceState), num: count('人数') })),
  }),
})

/** Exams whose reduction can be worked on, and what stands against the others. */
export const reducibleExams = endpoint('reduction.exams', 'GET /blade-signup/signup/getReductionExams', {
  title: '岗位核减：考试',
  access: ['reduction_post'],
  query: {},
  answer: list(group({ examId: id('考试'), examName: text('考试名称'), block: text('现在不能核减的原因') })),
})

/** Computes a plan, keeps decisions on it, or makes it final. */
export const saveReduction = endpoint('reduction.save', 'POST /blade-signup/signup/savePostReductionInfoByExamId', {
  title: '岗位核减：计算、处理、确认',
  access: ['reduction_decide', 'reduction_confirm'],
  body: {
    examId: id('考试'),
    action: words('操作', 'compute', 'save', 'confirm'),
    list: sometimes(
      list(
        group({
          code: text('岗位代码', { maxLength: 30 }),
          decision: dict('处理', reduceDecision),
          afterNum: optional(count('核减后计划数')),
          basis: optional(text('依据/批文', { maxLength: 500 })),
          file: sometimes(maybe(id('批文附件'))),
        }),
        { max: 5000 },
      ),
    ),
    reason: optional(text('原因', { maxLength: 400 })),
  },
  answer: group({
    positions: list(pick(Postreduction, 'unit', 'code', 'beforeNum', 'effectNum', 'ratio', 'afterNum', 'decision')),
    affected: count('须改报人数'),
  }),
})

/** Puts people on the list of those who choose another position. */
export const listForChoosing = endpoint('reduction.join', 'POST /blade-signup/signup/joinPostReductionNameList', {
  title: '核减人员名单：加入',
  access: ['signup_reduce'],
  emptyBody: true,
  query: { ids: optional(text('编号', { maxLength: 12_000 })) },
  body: {
    examId: sometimes(id('考试')),
    codes: sometimes(list(text('岗位代码', { maxLength: 30 }), { max: 500 })),
    signupIds: sometimes(list(id('报名'), { max: 500 })),
    signupId: sometimes(id('报名')),
  },
  answer: group({
    added: count('加入人数'),
    ok: list(id('报名')),
    skipped: list(group({ id: id('报名'), name: text('姓名'), reason: text('原因') })),
  }),
})

/** Takes somebody off that list who has not chosen yet, or several: all of them or none. */
export const removeFromList = endpoint('reduction.remove', 'POST /blade-signup/signup/removeNameList', {
  title: '核减人员名单：移出',
  access: ['postreductionname_removeName', 'signup_unlist'],
  values: { signupId: sometimes(id('报名')), ids: sometimes(text('编号', { maxLength: 12_000 })) },
})

/** That list, in the words of older clients. */
export const choosingPeople = endpoint('reduction.people', 'GET /blade-signup/signup/postReductionNamePage', {
  title: '核减人员名单：分页',
  access: ['postreductionname'],
  values: {
    examId: id('考试'),
    unit: text('原单位'),
    code: text('原岗位代码'),
    current: integer('页码'),
    size: integer('每页条数'),
  },
  answer: pageOf(rowOf(postreductionname)),
})

const placeShape = group({
  unit: maybe(text('单位')),
  unitName: text('单位名称'),
  code: maybe(text('岗位代码')),
  postName: text('岗位名称'),
})

/** What somebody who has to choose again needs to know: what became of the position, until when, where to. */
export const choiceOf = endpoint('reduction.choice', 'GET /blade-signup/signup/getPostReductionInfo', {
  title: '改报：查看',
  access: 'signed-in',
  query: { signupId: id('报名') },
  answer: group({
    signupId: id('报名'),
    examId: id('考试'),
    ...pick(Examination, 'examName', 'contactPhone').of,
    ...pick(Signup, 'name', 'signNo').of,
    old: placeShape,
    chosen: maybe(placeShape),
    decision: dict('原岗位的处理', reduceDecision),
    state: dict('改报状态', reduceState),
    ...pick(Postreductionname, 'choiceTime', 'choiceBy').of,
    window: group({
      start: Examination.properties.reduceStartTime,
      end: Examination.properties.reduceEndTime,
    }),
    canChoose: truth('能否改报'),
    targets: list(
      group({
        ...positionShape.of,
        precheck: list(group({ rule: text('条件'), level: words('结论', 1, 2, 3), msg: text('说明') })),
      }),
    ),
    paid: truth('是否已缴费'),
    refund: words('退款', '', 'refunding', 'refunded'),
    serverTime: dateTime('服务器时间'),
  }),
})

/** Chooses another position, or none. Staff say how they know of the choice. */
export const chooseAnew = endpoint('reduction.choose', 'POST /blade-signup/signup/savePostReductionInfo', {
  title: '改报：提交',
  access: 'signed-in',
  body: {
    signupId: id('报名'),
    agree: flag('是否改报'),
    unit2: optional(text('改报单位', { maxLength: 30 })),
    type2: optional(text('改报类别', { maxLength: 30 })),
    code2: optional(text('改报岗位代码', { maxLength: 30 })),
    remark: optional(text('备注')),
  },
  answer: group({ state: dict('改报状态', reduceState) }),
})

/** Says whether one accepts to be moved to another position. */
export const changeAdjust = endpoint('reduction.adjust', 'POST /blade-signup/signup/changeAdjust', {
  title: '服从调剂：修改',
  access: 'candidate',
  body: { id: id('报名'), adjustAccept: flag('服从调剂') },
  answer: group({ adjustAccept: flag('服从调剂') }),
})

/** Somebody whose review is not finished. */
export type Pending = Wire<typeof pendingShape>
/** Key of the dictionary `reduce_state`. */
export type ReduceKey = AnswerOf<typeof chooseAnew>['state']
/** The reduction of an exam as its page shows it. */
export type Reduction = AnswerOf<typeof reductionPlan>
/** One position of a plan. */
export type PlanLine = Wire<typeof planLineShape>
/** An exam to choose from, and what stands against its reduction now. */
export type ReducibleExam = AnswerOf<typeof reducibleExams>[number]
/** What somebody who has to choose again needs to know. */
export type ChoiceInfo = AnswerOf<typeof choiceOf>
