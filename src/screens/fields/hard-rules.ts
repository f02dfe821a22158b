/** The conditions of a position that the server checks by itself before a sign-up is taken, and how people call them. */
export const hardRules: Readonly<Record<string, string>> = {
  age: '年龄',
  education: '学历',
  degree: '学位',
  major: '专业',
  title: '职称',
  certificate: '执业资格',
  fresh: '应届',
  sex: '性别',
  region: '户籍/生源',
  experience: '工作年限',
}
