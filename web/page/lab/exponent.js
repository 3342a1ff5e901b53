/**
 * The slope of log y against log x over the longer half of the points: y grows as x to this.
 *
 * @param {[number, number][]} points
 */
export function exponentOf(points) {
    const longer = points.slice(points.length >> 1).map((point) => point.map(Math.log));
    const mean = (axis) => longer.reduce((sum, point) => sum + point[axis], 0) / longer.length;
    const [x, y] = [mean(0), mean(1)];
    const over = longer.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
    return over / longer.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
