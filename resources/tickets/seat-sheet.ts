import { integer, sheet } from '#engine'
import { School } from '../../schemas/exams/school.ts'
import { Signup } from '../../schemas/sign-up/signup.ts'
import { Examinationticket } from '../../schemas/tickets/examinationticket.ts'

const { signNo } = Signup.properties
const { schoolCode } = School.properties
const { seatNo } = Examinationticket.properties

/** Who sits where in a stage. */
export const seatSheet = sheet(Examinationticket, {
  title: '考生座位',
  version: 'seats-1',
  fixed: ['itemId'],
  key: ['signNo'],
  extra: { signNo, schoolCode, seatNo: integer(seatNo.title) },
  columns: [
    { field: 'signNo', width: 18 },
    { field: 'name', role: 'same', width: 12, help: '填写时必须与报名一致', differs: '与报名不一致（{value}）' },
    { field: 'unit', role: 'shown', width: 14 },
    { field: 'code', role: 'shown', width: 12 },
    { field: 'ticketNo', role: 'shown', width: 20, help: '由系统在锁定座位时生成，导入时不读取' },
    { field: 'schoolCode', title: '考点代码', width: 12 },
    { field: 'roomNo', width: 10 },
    { field: 'seatNo', width: 10 },
  ],
})
