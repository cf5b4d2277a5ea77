(define (problem strange_0)
(:domain alfred)
(:objects
    agent1 - agent
    loc_bar_0_bar_7 - location
    loc_bar_minus_1_bar_2 - location
    loc_bar_2_bar_4 - location
    loc_bar_3_bar_3 - location
    Microwave_bar__plus_75_dot_05_bar__plus_43_dot_99 - receptacle
    Shelf_bar__minus_09_dot_87_bar__plus_50_dot_15 - receptacle
    Sink_bar__minus_02_dot_08_bar__minus_27_dot_69_bar_SinkBasin - receptacle
    SideTable_bar__plus_29_dot_07_bar__minus_59_dot_47 - receptacle
    GarbageCan_bar__plus_72_dot_87_bar__plus_77_dot_80 - receptacle
    Cabinet_bar__plus_87_dot_46_bar__plus_95_dot_34 - receptacle
    Mug_bar__plus_70_dot_13_bar__plus_41_dot_73 - object
    Egg_bar__plus_43_dot_55_bar__plus_07_dot_52 - object
    Apple_bar__plus_60_dot_93_bar__minus_96_dot_73 - object
    ButterKnife - object
    Curtains_bar__minus_25_dot_05_bar__minus_72_dot_61 - object
    Potato_bar__minus_12_dot_45_bar__minus_15_dot_75 - object
    AppleType - otype
    ButterKnifeType - otype
    CurtainsType - otype
    DeskLampType - otype
    EggType - otype
    MugType - otype
    PotatoType - otype
    CabinetType - rtype
    GarbageCanType - rtype
    MicrowaveType - rtype
    ShelfType - rtype
    SideTableType - rtype
    SinkBasinType - rtype
    Window - object)
(:init
    (atLocation agent1 loc_bar_0_bar_7)
    (canContain CabinetType ButterKnifeType)
    (canContain CabinetType CurtainsType)
    (canContain CabinetType DeskLampType)
    (canContain CabinetType EggType)
    (canContain CabinetType MugType)
    (canContain GarbageCanType AppleType)
    (canContain GarbageCanType ButterKnifeType)
    (canContain GarbageCanType CurtainsType)
    (canContain GarbageCanType DeskLampType)
    (canContain GarbageCanType EggType)
    (canContain GarbageCanType MugType)
    (canContain GarbageCanType PotatoType)
    (canContain MicrowaveType AppleType)
    (canContain MicrowaveType ButterKnifeType)
    (canContain MicrowaveType CurtainsType)
    (canContain MicrowaveType DeskLampType)
    (canContain MicrowaveType EggType)
    (canContain MicrowaveType MugType)
    (canContain ShelfType AppleType)
    (canContain ShelfType ButterKnifeType)
    (canContain ShelfType MugType)
    (canContain ShelfType PotatoType)
    (canContain SideTableType AppleType)
    (canContain SideTableType ButterKnifeType)
    (canContain SideTableType EggType)
    (canContain SideTableType MugType)
    (canContain SideTableType PotatoType)
    (canContain SinkBasinType AppleType)
    (canContain SinkBasinType ButterKnifeType)
    (canContain SinkBasinType CurtainsType)
    (canContain SinkBasinType DeskLampType)
    (canContain SinkBasinType EggType)
    (canContain SinkBasinType PotatoType)
    (receptacleAtLocation Microwave_bar__plus_75_dot_05_bar__plus_43_dot_99 loc_bar_minus_1_bar_2)
    (receptacleType Microwave_bar__plus_75_dot_05_bar__plus_43_dot_99 MicrowaveType)
    (openable Microwave_bar__plus_75_dot_05_bar__plus_43_dot_99)
    (opened Microwave_bar__plus_75_dot_05_bar__plus_43_dot_99)
    (receptacleAtLocation Shelf_bar__minus_09_dot_87_bar__plus_50_dot_15 loc_bar_0_bar_7)
    (receptacleType Shelf_bar__minus_09_dot_87_bar__plus_50_dot_15 ShelfType)
    (receptacleAtLocation Sink_bar__minus_02_dot_08_bar__minus_27_dot_69_bar_SinkBasin loc_bar_0_bar_7)
    (receptacleType Sink_bar__minus_02_dot_08_bar__minus_27_dot_69_bar_SinkBasin SinkBasinType)
    (receptacleAtLocation SideTable_bar__plus_29_dot_07_bar__minus_59_dot_47 loc_bar_3_bar_3)
    (receptacleType SideTable_bar__plus_29_dot_07_bar__minus_59_dot_47 SideTableType)
    (receptacleAtLocation GarbageCan_bar__plus_72_dot_87_bar__plus_77_dot_80 loc_bar_3_bar_3)
    (receptacleType GarbageCan_bar__plus_72_dot_87_bar__plus_77_dot_80 GarbageCanType)
    (openable GarbageCan_bar__plus_72_dot_87_bar__plus_77_dot_80)
    (receptacleAtLocation Cabinet_bar__plus_87_dot_46_bar__plus_95_dot_34 loc_bar_2_bar_4)
    (receptacleType Cabinet_bar__plus_87_dot_46_bar__plus_95_dot_34 CabinetType)
    (openable Cabinet_bar__plus_87_dot_46_bar__plus_95_dot_34)
    (objectType Mug_bar__plus_70_dot_13_bar__plus_41_dot_73 MugType)
    (inReceptacle Mug_bar__plus_70_dot_13_bar__plus_41_dot_73 Sink_bar__minus_02_dot_08_bar__minus_27_dot_69_bar_SinkBasin)
    (objectAtLocation Mug_bar__plus_70_dot_13_bar__plus_41_dot_73 loc_bar_3_bar_3)
    (pickupable Mug_bar__plus_70_dot_13_bar__plus_41_dot_73)
    (cleanable Mug_bar__plus_70_dot_13_bar__plus_41_dot_73)
    (heatable Mug_bar__plus_70_dot_13_bar__plus_41_dot_73)
    (coolable Mug_bar__plus_70_dot_13_bar__plus_41_dot_73)
    (sliceable Mug_bar__plus_70_dot_13_bar__plus_41_dot_73)
    (objectType Egg_bar__plus_43_dot_55_bar__plus_07_dot_52 EggType)
    (coolable Egg_bar__plus_43_dot_55_bar__plus_07_dot_52)
    (sliceable Egg_bar__plus_43_dot_55_bar__plus_07_dot_52)
    (objectType Apple_bar__plus_60_dot_93_bar__minus_96_dot_73 AppleType)
    (inReceptacle Apple_bar__plus_60_dot_93_bar__minus_96_dot_73 SideTable_bar__plus_29_dot_07_bar__minus_59_dot_47)
    (objectAtLocation Apple_bar__plus_60_dot_93_bar__minus_96_dot_73 loc_bar_3_bar_3)
    (pickupable Apple_bar__plus_60_dot_93_bar__minus_96_dot_73)
    (heatable Apple_bar__plus_60_dot_93_bar__minus_96_dot_73)
    (coolable Apple_bar__plus_60_dot_93_bar__minus_96_dot_73)
    (toggleable Apple_bar__plus_60_dot_93_bar__minus_96_dot_73)
    (objectType ButterKnife ButterKnifeType)
    (pickupable ButterKnife)
    (cleanable ButterKnife)
    (heatable ButterKnife)
    (toggleable ButterKnife)
    (objectType Curtains_bar__minus_25_dot_05_bar__minus_72_dot_61 CurtainsType)
    (inReceptacle Curtains_bar__minus_25_dot_05_bar__minus_72_dot_61 GarbageCan_bar__plus_72_dot_87_bar__plus_77_dot_80)
    (objectAtLocation Curtains_bar__minus_25_dot_05_bar__minus_72_dot_61 loc_bar_0_bar_7)
    (pickupable Curtains_bar__minus_25_dot_05_bar__minus_72_dot_61)
    (cleanable Curtains_bar__minus_25_dot_05_bar__minus_72_dot_61)
    (coolable Curtains_bar__minus_25_dot_05_bar__minus_72_dot_61)
    (sliceable Curtains_bar__minus_25_dot_05_bar__minus_72_dot_61)
    (toggleable Curtains_bar__minus_25_dot_05_bar__minus_72_dot_61)
    (objectType Potato_bar__minus_12_dot_45_bar__minus_15_dot_75 PotatoType)
    (inReceptacle Potato_bar__minus_12_dot_45_bar__minus_15_dot_75 Microwave_bar__plus_75_dot_05_bar__plus_43_dot_99)
    (inReceptacle Potato_bar__minus_12_dot_45_bar__minus_15_dot_75 GarbageCan_bar__plus_72_dot_87_bar__plus_77_dot_80)
    (inReceptacle Potato_bar__minus_12_dot_45_bar__minus_15_dot_75 SideTable_bar__plus_29_dot_07_bar__minus_59_dot_47)
    (pickupable Potato_bar__minus_12_dot_45_bar__minus_15_dot_75)
    (heatable Potato_bar__minus_12_dot_45_bar__minus_15_dot_75)
    (isSliced Potato_bar__minus_12_dot_45_bar__minus_15_dot_75))
(:goal (and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o PotatoType) (receptacleType ?r SinkBasinType)))))))
