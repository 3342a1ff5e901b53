// The heads of the columns of a table; a name may be [name, how many columns it is over].

export const ColumnHeads = ({ names }) => (
    <thead>
        <tr>
            {names.map((head) => {
                const [name, columns] = [head].flat();
                return (
                    <th scope="col" colSpan={columns}>
                        {name}
                    </th>
                );
            })}
        </tr>
    </thead>
);
